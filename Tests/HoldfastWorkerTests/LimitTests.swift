import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A worker's limits", .temporaryFolder)
struct LimitTests {
  private func written(_ job: (WorkerPool, OpenMedia, OpenMedia) async throws -> Void)
    async throws -> Int
  {
    let pool = WorkerPool(try Workers.hostile)
    let path = temporary("output")
    let failure = try await mediaError {
      try await withSource("any") { source in
        try await withFile(path, flags: O_RDWR | O_CREAT) { output in
          try await job(pool, source, output)
        }
      }
    }
    let error = try #require(failure)
    return try #require(Int(error.reason))
  }

  @Test("A job has 410 MiB of memory until its file's header is read")
  func memory() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let mebibytes = try #require(Int(try await pool.doing("memory")))
    #expect((300...410).contains(mebibytes), "\(mebibytes)")
  }

  @Test("A thumbnail has 64 MiB, a conversion what its source and the cap allow")
  func fileSize() async throws {
    let thumbnail = try await written { pool, source, output in
      _ = try await pool.thumbnail(ThumbnailJob(), source: source, output: output)
    }
    #expect(thumbnail == 64)
    let plan = try ConversionPlan.sample
    let conversion = try await written { pool, source, output in
      _ = try await pool.convert(plan, source: source, output: output) { _ in }
    }
    #expect((7680...7690).contains(conversion), "\(conversion)")
  }
}

extension ConversionPlan {
  /// A plan that nothing looks at.
  fileprivate static var sample: ConversionPlan {
    get throws {
      try ConversionPlan(
        for: MediaInfo(
          container: "mov", fileSize: 1, type: .audio, duration: 2, isMeasured: true,
          start: MediaTime(ticks: 0, numerator: 1, denominator: 1000),
          streams: [StreamInfo(index: 0, kind: .audio, codec: "aac")], audio: 0))
    }
  }
}
