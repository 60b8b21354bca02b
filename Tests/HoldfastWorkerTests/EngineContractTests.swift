import Foundation
import Holdfast
import HoldfastMedia
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool
import Synchronization
import Testing

/// The engines, which share one contract.
enum EngineKind: String, CaseIterable, Sendable {
  case inProcess
  case workers

  func make() throws -> any MediaEngine {
    switch self {
    case .inProcess: FFmpegEngine()
    case .workers: WorkerPool(try Workers.real)
    }
  }
}

@Suite("Every media engine", .temporaryFolder)
struct EngineContractTests {
  @Test("describes every fixture in the same way, or refuses it with the same words")
  func probes() async throws {
    let engines = try EngineKind.allCases.map { try $0.make() }
    for row in Fixtures.manifest {
      for depth in [ProbeDepth.header, .index, .packets, .decoded, .metadata] {
        var answers: [Result<MediaInfo, HoldfastError>] = []
        for engine in engines {
          let answer = try await withFile(Fixtures.path(row.path)) { source in
            do {
              return Result<MediaInfo, HoldfastError>.success(
                try await engine.probe(source, depth: depth))
            } catch let error as HoldfastError {
              return .failure(error)
            }
          }
          answers.append(answer)
        }
        #expect(answers[0] == answers[1], "\(row.path), \(depth)")
      }
    }
  }

  @Test(
    "converts, checks and makes a thumbnail, and neither moves nor keeps the descriptors",
    arguments: EngineKind.allCases, [VideoPolicy.copy, .h264])
  func wholeWay(_ kind: EngineKind, _ policy: VideoPolicy) async throws {
    let engine = try kind.make()
    let (path, picture) = (temporary("output.mov"), temporary("picture.jpg"))
    let shares = Mutex<[Double]>([])
    try await withFile(Fixtures.path("portrait.mov")) { source in
      lseek(source.descriptor, 7, SEEK_SET)
      let plan = try ConversionPlan(
        for: try await engine.probe(source, depth: .packets),
        options: ConversionOptions(video: policy),
        creationTime: Date(timeIntervalSince1970: 1_761_399_720.125))
      try await withFile(path, flags: O_RDWR | O_CREAT) { output in
        let report = try await engine.convert(plan, source: source, output: output) { share in
          shares.withLock { $0.append(share) }
        }
        #expect(report.plan == plan)
        let check = try await engine.check(report, source: source, output: output)
        #expect(abs(check.duration - 2) < 0.05)
        try await withFile(picture, flags: O_RDWR | O_CREAT) { picture in
          let job = ThumbnailJob(longSide: 100)
          let report = try await engine.thumbnail(job, source: output, output: picture)
          #expect(report.size.height == 100)
        }
        #expect(lseek(output.descriptor, 0, SEEK_CUR) == 0)
        #expect(fcntl(output.descriptor, F_GETFD) >= 0)
      }
      #expect(lseek(source.descriptor, 0, SEEK_CUR) == 7)
    }
    let reported = shares.withLock { $0 }
    #expect(reported == reported.sorted() && reported.last == 1)
    let answer = try await FFprobe.streams(path)
    #expect(answer.count == 2)
    let (width, height) = try await JPEGFile.dimensions(picture)
    #expect((width, height) == (56, 100))
  }

  @Test("makes the same bytes from the same file")
  func sameBytes() async throws {
    for fixture in ["portrait.mov", "odd.webm", "voice.ogg"] {
      var made: [Data] = []
      for kind in EngineKind.allCases {
        let engine = try kind.make()
        let path = temporary("\(kind)-\(fixture)")
        try await withFile(Fixtures.path(fixture)) { source in
          let plan = try ConversionPlan(for: try await engine.probe(source, depth: .packets))
          try await withFile(path, flags: O_RDWR | O_CREAT) { output in
            _ = try await engine.convert(plan, source: source, output: output) { _ in }
          }
        }
        made.append(try Data(contentsOf: URL(fileURLWithPath: path)))
      }
      #expect(made[0] == made[1] && !made[0].isEmpty, "\(fixture)")
    }
  }

  @Test(
    "names the system's error when an output cannot be written",
    arguments: Extent.sample(EngineKind.allCases, every: 2))
  func fullDisk(_ kind: EngineKind) async throws {
    let engine = try kind.make()
    let error = try await mediaError {
      try await withFile(Fixtures.path("portrait.mov")) { source in
        let plan = try ConversionPlan(for: try await engine.probe(source, depth: .packets))
        try await withFile("/dev/full", flags: O_RDWR) { output in
          _ = try await engine.convert(plan, source: source, output: output) { _ in }
        }
      }
    }
    #expect(error?.code == .outputRefused)
    // The system's number is not believed when a worker reports it.
    #expect(error?.errno == (kind == .inProcess ? ENOSPC : nil))
    #expect(error?.reason.contains("No space left on device") == true)
  }

  @Test(
    "throws CancellationError when it is cancelled",
    arguments: Extent.sample(EngineKind.allCases, every: 2))
  func cancellation(_ kind: EngineKind) async throws {
    let engine = try kind.make()
    let output = temporary("output.mov")
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await withFile(Fixtures.path("portrait.mov")) { source in
        _ = try await engine.probe(source, depth: .packets)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    let (firstStep, report) = AsyncStream.makeStream(of: Void.self)
    let encode = Task {
      try await withFile(Fixtures.path("portrait.mov")) { source in
        let info = try await engine.probe(source, depth: .packets)
        let plan = try ConversionPlan(for: info, options: ConversionOptions(video: .h264))
        try await withFile(output, flags: O_RDWR | O_CREAT) { output in
          while true {
            _ = try await engine.convert(plan, source: source, output: output) { _ in
              report.yield()
            }
          }
        }
      }
    }
    for await _ in firstStep { break }
    encode.cancel()
    await #expect(throws: CancellationError.self) { _ = try await encode.value }
  }

  @Test("does several jobs at a time", arguments: Extent.sample(EngineKind.allCases, every: 2))
  func several(_ kind: EngineKind) async throws {
    let engine = try kind.make()
    let fixtures = ["portrait.mov", "odd.webm", "voice.ogg", "aac.m4a", "vfr.mp4", "voice.wav"]
    let sizes = try await withThrowingTaskGroup(of: (String, Int64).self) { group in
      for fixture in fixtures {
        group.addTask {
          try await withFile(Fixtures.path(fixture)) { source in
            (fixture, try await engine.probe(source, depth: .packets).fileSize)
          }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for fixture in fixtures {
      let attributes = try FileManager.default.attributesOfItem(atPath: Fixtures.path(fixture))
      #expect(sizes[fixture] == attributes[.size] as? Int64)
    }
  }
}
