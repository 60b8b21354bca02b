import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool
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

  @Test("A worker has the memory for pictures of 1080p, and no more")
  func memory() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let mebibytes = try #require(Int(try await pool.doing("memory")))
    let processors = min(max(sysconf(CInt(_SC_NPROCESSORS_ONLN)), 1), 16)
    // 1 GiB, and for each thread its stacks and a picture of 2 million pixels.
    let most = 1024 + processors * (24 + 96)
    #expect((most - 150...most).contains(mebibytes), "\(mebibytes)")
  }

  @Test("For a larger picture, a worker with more memory is started, and the file is read")
  func largerPictures() async throws {
    let pool = WorkerPool(try Workers.real)
    let path = temporary("large.mp4")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "color=gray:size=3840x2160:rate=1:duration=2", "-c:v",
        "mpeg4", path,
      ])
    let info = try await withFile(path) { try await pool.probe($0, depth: .packets) }
    #expect(info.videoStream?.picture?.width == 3840)
    #expect(info.videoStream?.decodes == true)
  }

  @Test("A thumbnail has 64 MiB, a copy as much as its source, an encode what its length allows")
  func fileSize() async throws {
    let thumbnail = try await written { pool, source, output in
      _ = try await pool.thumbnail(ThumbnailJob(), source: source, output: output)
    }
    #expect(thumbnail == 64)
    // 64 MiB for the container, and a mebibyte for each of two seconds of sound.
    let encode = try await written { pool, source, output in
      _ = try await pool.convert(
        try .sample(encodedBecause: "asked"), source: source, output: output
      ) {
        _ in
      }
    }
    #expect(encode == 66)
    let copy = try await written { pool, source, output in
      _ = try await pool.convert(try .sample(), source: source, output: output) { _ in }
    }
    #expect((64...65).contains(copy), "\(copy)")
  }

  @Test("A check can only read a file that was opened for writing")
  func readOnly() async throws {
    let check = try await written { pool, source, output in
      _ = try await pool.check(
        ConversionReport(plan: try .sample()), source: source, output: output)
    }
    #expect(check == 0)
  }

  @Test("A worker that waits for its next job has no file of the last one")
  func idle() async throws {
    let pool = WorkerPool(try Workers.hostile)
    try await pool.doing("call waiting")
    let worker = try await descendant(named: "waiting")
    let folder = "/proc/\(worker)/fd"
    let onlySocket = try await eventually {
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["0", "1", "2"]
    }
    #expect(onlySocket)
    await pool.close()
  }

  @Test("A worker without a next job ends, and the pool then starts another")
  func ended() async throws {
    let pool = WorkerPool(try Workers.hostile, idleTimeout: 1)
    try await pool.doing("call leaving")
    let worker = try await descendant(named: "leaving")
    #expect(try await eventually { !isRunning(worker) })
    #expect(try await pool.doing("nothing") == "nothing")
    await pool.close()
  }

  @Test(
    "A worker for one job has its files, its socket and /dev/null, no capability, and fixed limits",
    arguments: ["convert", "check"])
  func processStatus(_ kind: String) async throws {
    let pool = WorkerPool(try Workers.hostile)
    let name = "\(kind)-\(UUID().uuidString.prefix(6))"
    let (found, report) = AsyncStream.makeStream(of: Int32.self)
    let job = Task {
      try await withSource("stall as \(name)") { source in
        try await withFile(temporary("output"), flags: O_RDWR | O_CREAT) { output in
          let plan = try ConversionPlan.sample()
          if kind == "convert" {
            _ = try await pool.convert(plan, source: source, output: output) { _ in }
          } else {
            _ = try await pool.check(ConversionReport(plan: plan), source: source, output: output)
          }
        }
      }
    }
    report.yield(try await descendant(named: name))
    for await process in found {
      let status = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
      for set in ["CapInh", "CapPrm", "CapEff", "CapAmb"] {
        #expect(status.contains("\(set):\t0000000000000000"), "\(set)")
      }
      #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"))
      let limits = try String(contentsOfFile: "/proc/\(process)/limits", encoding: .utf8)
      for name in ["Max address space", "Max file size", "Max core file size"] {
        let line = try #require(limits.split(separator: "\n").first { $0.hasPrefix(name) })
        let figures = line.dropFirst(26).split(separator: " ")
        #expect(figures[0] == figures[1] && figures[0] != "unlimited", "\(line)")
      }
      let folder = "/proc/\(process)/fd"
      var open: [String: String] = [:]
      for number in try FileManager.default.contentsOfDirectory(atPath: folder) {
        open[number] = try FileManager.default.destinationOfSymbolicLink(
          atPath: "\(folder)/\(number)")
      }
      #expect(open.count == 5, "\(open)")
      #expect(open["0"]?.hasPrefix("socket:") == true)
      #expect(open["1"] == "/dev/null" && open["2"] == "/dev/null")
      let output = try #require(open.first { $0.value.hasSuffix("/output") }?.key)
      let source = try #require(open.first { $0.value.hasSuffix("/aac.m4a") }?.key)
      let modes = try [output, source].map { number in
        let text = try String(contentsOfFile: "/proc/\(process)/fdinfo/\(number)", encoding: .utf8)
        let flags = try #require(text.split(separator: "\n").first { $0.hasPrefix("flags:") })
        return try #require(Int32(flags.split(separator: "\t")[1], radix: 8)) & O_ACCMODE
      }
      #expect(modes == [kind == "convert" ? O_RDWR : O_RDONLY, O_RDONLY])
      break
    }
    job.cancel()
    await #expect(throws: CancellationError.self) { try await job.value }
  }
}

extension ConversionPlan {
  /// A plan that is never read.
  static func sample(encodedBecause reason: String? = nil) throws -> ConversionPlan {
    var info = MediaInfo(container: "mov", fileSize: 1)
    info.type = .audio
    info.duration = 2
    info.isMeasured = true
    info.start = MediaTime(ticks: 0, numerator: 1, denominator: 1000)
    info.streams = [StreamInfo(index: 0, kind: .audio, codec: "aac")]
    info.streams[0].copyObstacle = reason
    info.audio = 0
    return try ConversionPlan(for: info)
  }
}
