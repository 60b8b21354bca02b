internal import Crypto
internal import Foundation
internal import Holdfast
internal import HoldfastMedia
internal import HoldfastModel
import HoldfastWorkerPool
internal import Synchronization

/// What scripts/bench compares the command with: the media engine in the process that asks, and
/// nothing but the hashing of files.
///
///   HoldfastBench import LIBRARY PATH…            imports as the command does
///   HoldfastBench thumbnails WORKER VIDEO FOLDER  makes thumbnails both ways, in turn, and says what
///                                                 each took
///   HoldfastBench hash FILE…                      hashes files, one a core at a time
@main
enum Main {
  private static let thumbnails = 400

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch arguments.first {
    case "import" where arguments.count > 2:
      let library = try Library.open(
        at: LibraryLocation(path: arguments[1]), for: .writing, engine: FFmpegEngine())
      for await _ in try library.importRecordings(Array(arguments.dropFirst(2))) {}
    case "thumbnails" where arguments.count == 4:
      try await thumbnails(
        of: arguments[2], in: arguments[3],
        [FFmpegEngine(), WorkerPool(WorkerProgram(path: arguments[1]))])
    case "hash" where arguments.count > 1:
      hash(Array(arguments.dropFirst()))
    default:
      print("HoldfastBench import LIBRARY PATH… | thumbnails WORKER VIDEO FOLDER | hash FILE…")
      exit(64)
    }
  }

  private static func thumbnails(
    of video: String, in folder: String, _ engines: [any MediaEngine]
  ) async throws {
    let source = open(video, O_RDONLY | O_CLOEXEC)
    let output = open("\(folder)/thumbnail.jpg", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(output)
    }
    var seconds: [[Double]] = engines.map { _ in [] }
    for _ in 0..<thumbnails {
      for (index, engine) in engines.enumerated() {
        ftruncate(output, 0)
        let start = ContinuousClock.now
        _ = try await engine.thumbnail(
          ThumbnailJob(), source: OpenMedia(descriptor: source, name: "video.mov"),
          output: OpenMedia(descriptor: output, name: "thumbnail.jpg"))
        seconds[index].append((ContinuousClock.now - start) / .seconds(1))
      }
    }
    let medians = seconds.map { $0.sorted()[$0.count / 2] * 1000 }
    print(
      String(
        format: "a thumbnail: in process %.3f ms, worker %.3f ms; %+.3f ms (at most 1)", medians[0],
        medians[1], medians[1] - medians[0]))
  }

  /// The limit of `verify --deep`: the same hash over the same bytes, and nothing else.
  private static func hash(_ files: [String]) {
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < files.count else { return }
        print("\(hash(of: files[index], &buffer))  \(files[index])")
      }
    }
  }

  private static func hash(of file: String, _ buffer: inout [UInt8]) -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    precondition(descriptor >= 0, file)
    defer { close(descriptor) }
    var hash = SHA256()
    buffer.withUnsafeMutableBytes { bytes in
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        precondition(count >= 0, file)
        if count == 0 { return }
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }
}
