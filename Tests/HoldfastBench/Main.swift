internal import Foundation
internal import Holdfast
internal import HoldfastMedia
internal import HoldfastModel

/// Measures what the worker costs: the same work through both engines, in turn, in one run.
///
///   HoldfastBench WORKER SCRATCH-FOLDER VIDEO PATH…
@main
enum Main {
  private static let rounds = 7
  private static let thumbnails = 400

  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 4 else {
      print("HoldfastBench WORKER SCRATCH-FOLDER VIDEO PATH…")
      exit(64)
    }
    let engines: [(String, @Sendable () -> any MediaEngine)] = [
      ("in process", { FFmpegEngine() }),
      ("workers", { WorkerPool(WorkerProgram(path: arguments[0])) }),
    ]
    try await imports(of: Array(arguments.dropFirst(3)), in: arguments[1], engines)
    try await thumbnails(of: arguments[2], in: arguments[1], engines)
  }

  /// Imports everything into a new library, with a pool that has no worker yet.
  private static func imports(
    of paths: [String], in folder: String, _ engines: [(String, @Sendable () -> any MediaEngine)]
  ) async throws {
    var seconds: [[Double]] = engines.map { _ in [] }
    var imported = 0
    for round in 0..<rounds {
      for (index, engine) in engines.enumerated() {
        let library = try Library.open(
          at: LibraryLocation(path: "\(folder)/library-\(round)-\(index)"), for: .writing,
          engine: engine.1())
        let start = ContinuousClock.now
        imported = 0
        for await event in try library.importRecordings(paths) {
          if case .imported = event { imported += 1 }
        }
        seconds[index].append((ContinuousClock.now - start) / .seconds(1))
      }
    }
    let medians = seconds.map(median)
    for (engine, median) in zip(engines, medians) {
      print("import of \(imported), \(engine.0): \(rounded(median, 3)) s")
    }
    print("workers / in process: \(rounded(medians[1] / medians[0], 4))  (at most 1.03)")
  }

  /// Makes thumbnails of one video, one after the other.
  private static func thumbnails(
    of video: String, in folder: String, _ engines: [(String, @Sendable () -> any MediaEngine)]
  ) async throws {
    let made = engines.map { $0.1() }
    let source = open(video, O_RDONLY | O_CLOEXEC)
    let output = open("\(folder)/thumbnail.jpg", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(output)
    }
    var seconds: [[Double]] = engines.map { _ in [] }
    for _ in 0..<thumbnails {
      for (index, engine) in made.enumerated() {
        ftruncate(output, 0)
        let start = ContinuousClock.now
        _ = try await engine.thumbnail(
          ThumbnailJob(), source: OpenMedia(descriptor: source, name: "video.mov"),
          output: OpenMedia(descriptor: output, name: "thumbnail.jpg"))
        seconds[index].append((ContinuousClock.now - start) / .seconds(1))
      }
    }
    let medians = seconds.map(median)
    for (engine, median) in zip(engines, medians) {
      print("thumbnail, \(engine.0): \(rounded(median * 1000, 3)) ms")
    }
    print(
      "workers − in process: \(rounded((medians[1] - medians[0]) * 1000, 3)) ms  (at most 1 ms)")
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  private static func rounded(_ value: Double, _ digits: Int) -> String {
    String(format: "%.\(digits)f", value)
  }
}
