import Foundation
import HoldfastMedia
import HoldfastModel
import HoldfastTestSupport
import Synchronization
import Testing

@Suite("A cancelled call", .temporaryFolder)
struct CancellationTests {
  /// So long that no machine encodes it before the cancellation arrives.
  private func longSource() async throws -> String {
    try await make(
      "long.mov",
      [
        "-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=10:d=60", "-c:v", "libx264", "-preset",
        "ultrafast", "-qp", "40", "-pix_fmt", "yuv420p",
      ])
  }

  @Test("stops an encode within a few pictures of the first progress, and leaves no index behind")
  func encode() async throws {
    let source = try await longSource()
    let plan = try ConversionPlan(
      for: try await probe(source, depth: .packets), options: ConversionOptions(video: .h264))
    let output = TemporaryFolder.current + "/output.mov"
    let shares = Mutex<[Double]>([])
    let (firstStep, report) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await withMedia(source) { source in
        try await withMedia(output, flags: O_RDWR | O_CREAT) { output in
          try await engine.convert(plan, source: source, output: output) { share in
            shares.withLock { $0.append(share) }
            report.yield()
          }
        }
      }
    }
    for await _ in firstStep { break }
    task.cancel()
    let atCancellation = shares.withLock { $0.last ?? 1 }
    await #expect(throws: CancellationError.self) { try await task.value }
    let atEnd = shares.withLock { $0.last ?? 1 }
    #expect(atEnd - atCancellation <= 0.05)
    #expect(atEnd < 0.5)
    #expect(!hasIndex(output))
  }

  private func hasIndex(_ path: String) -> Bool {
    guard let boxes = try? MP4Boxes.topLevel(path) else { return false }
    return boxes.contains { $0.type == "moov" }
  }

  @Test("that was cancelled before it began does nothing")
  func beforehand() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"))
    let output = TemporaryFolder.current + "/output.mov"
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await withMedia(made.source) { source in
        try await withMedia(output, flags: O_RDWR | O_CREAT) { output in
          _ = try await engine.convert(made.plan, source: source, output: output) { _ in
            Issue.record("there was progress")
          }
        }
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(FileManager.default.contents(atPath: output)?.isEmpty == true)
  }

  @Test("of any kind throws CancellationError")
  func everyCall() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"))
    let calls: [@Sendable () async throws -> Void] = [
      { _ = try await probe(made.source) }, { _ = try await thumbnail(made.source) },
      { try await made.check() },
    ]
    for call in calls {
      let task = Task {
        withUnsafeCurrentTask { $0?.cancel() }
        try await call()
      }
      await #expect(throws: CancellationError.self) { try await task.value }
    }
  }

  @Test("leaves its descriptors to their owner, and others at work alone", .notInSample)
  func others() async throws {
    let source = try await longSource()
    let plan = try ConversionPlan(
      for: try await probe(source), options: ConversionOptions(video: .h264))
    let (firstStep, report) = AsyncStream.makeStream(of: Void.self)
    let path = TemporaryFolder.current + "/output.mov"
    try await withMedia(path, flags: O_RDWR | O_CREAT) { output in
      let task = Task {
        try await withMedia(source) { source in
          try await engine.convert(plan, source: source, output: output) { _ in report.yield() }
        }
      }
      for await _ in firstStep { break }
      task.cancel()
      try await (try await convert(Fixtures.path("portrait.mov"), policy: .h264)).check()
      await #expect(throws: CancellationError.self) { try await task.value }
      #expect(fcntl(output.descriptor, F_GETFD) >= 0)
    }
  }
}
