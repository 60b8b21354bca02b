import ArgumentParser
import Foundation
import HoldfastMedia
import HoldfastModel
import HoldfastWorkerPool

/// `bench-in-process thumbnails`
struct ThumbnailsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "thumbnails",
    abstract: "Make thumbnails in this process and in a worker, in turn, and print what each took.")

  private static let count = 400

  @Argument var worker: String
  @Argument var video: String
  @Argument var folder: String

  func run() async throws {
    let engines: [any MediaEngine] = [FFmpegEngine(), WorkerPool(WorkerProgram(path: worker))]
    let source = open(video, O_RDONLY | O_CLOEXEC)
    let output = open("\(folder)/thumbnail.jpg", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    defer {
      close(source)
      close(output)
    }
    var seconds: [[Double]] = engines.map { _ in [] }
    for _ in 0..<Self.count {
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
