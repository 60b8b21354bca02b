internal import Foundation
internal import Holdfast
internal import HoldfastMedia
internal import HoldfastModel

/// What scripts/bench compares the command with: the media engine in the process that asks.
///
///   HoldfastBench import LIBRARY PATH…            imports as the command does
///   HoldfastBench thumbnails WORKER VIDEO FOLDER  makes thumbnails both ways, in turn, and says what
///                                                 each took
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
    default:
      print("HoldfastBench import LIBRARY PATH… | thumbnails WORKER VIDEO FOLDER")
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
}
