import HoldfastWorkerPool
import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("An import whose worker lies", .temporaryFolder)
struct LieTests {
  private static let nonsense = "the decoder gave no sensible answer"

  @Test(
    "is refused in one sentence, and the library is as it was",
    arguments: Extent.sample(
      [
        ("probe-long", "31457280 bytes; at most"),
        ("probe-memory", nonsense),
        ("probe-count", nonsense),
        // A claim that is impossible for so small a file is not even sent.
        ("probe-times", nonsense),
        ("probe-duration", nonsense),
        ("probe-kind", nonsense),
        ("convert-junk", "its picture cannot be read|cannot be read|not a recording|unknown"),
        ("convert-count", nonsense),
        ("convert-kind", nonsense),
        ("convert-warnings", "nonsense|at most"),
        ("convert-writes-on", "went on after its answer"),
        ("check-writes", "could not write"),
        ("check-count", nonsense),
        ("check-duration", nonsense),
        ("check-kind", nonsense),
      ], every: 6))
  func refused(_ lie: String, _ words: String) async throws {
    let program = try programWithLyingWorker()
    let library = temporary("library")
    let source = temporary("lie-\(lie).mov")
    try FileManager.default.copyItem(atPath: Fixtures.path("portrait.mov"), toPath: source)
    _ = try await Command.run(program, ["init", library])
    let result = try await Command.run(
      program, ["import", "--move", "--library", library, source])
    #expect(result.status == 3, "\(result.output)")
    #expect(result.output.hasPrefix("Nothing new: 1 refused"), "\(result.output)")
    #expect(
      words.split(separator: "|").contains { result.errorOutput.contains($0) },
      "\(result.errorOutput)")
    #expect(FileManager.default.fileExists(atPath: source))
    let verified = try await Command.run(
      try Command.holdfast, ["verify", "--deep", "--library", library])
    #expect(verified.status == 0, "\(verified.output)")
    let files = FileManager.default.enumerator(atPath: library)?.compactMap { $0 as? String } ?? []
    #expect(!files.contains { $0.hasSuffix(".mov") || $0.hasSuffix(".jpg") }, "\(files)")
  }

  @Test("about another file's tracks does not let --move remove its source")
  func takeover() async throws {
    let program = try programWithLyingWorker()
    let library = temporary("library")
    let names = ["lie-probe-takeover.mov", "lie-probe-victim.mov"]
    let sources = zip(names, ["portrait.mov", "vfr.mp4"]).map { name, fixture in
      (path: temporary(name), fixture: Fixtures.path(fixture))
    }
    for source in sources {
      try FileManager.default.copyItem(atPath: source.fixture, toPath: source.path)
    }
    _ = try await Command.run(program, ["init", library])
    let result = try await Command.run(
      program, ["import", "--move", "--jobs", "1", "--library", library] + sources.map(\.path))
    #expect(result.status == 0, "\(result.errorOutput)")
    let lines = result.output.split(separator: "\n")
    #expect(lines.count { $0.contains("  video ") } == 2, "\(result.output)")
  }

  @Test("about a thumbnail's size makes the thumbnail fail", arguments: ["size", "longer"])
  func thumbnail(_ lie: String) async throws {
    // The worker of a thumbnail does not know the source's name: the pool is asked directly.
    let pool = try Workers.hostilePool
    let error = try await mediaError {
      try await withFile(Fixtures.path("portrait.mov"), as: "lie-thumbnail-\(lie).mov") { source in
        try await withFile(temporary("picture.jpg"), flags: O_RDWR | O_CREAT) { picture in
          _ = try await pool.thumbnail(ThumbnailJob(), source: source, output: picture)
        }
      }
    }
    #expect(error?.reason.hasPrefix(Self.nonsense) == true)
  }

  @Test("about sound makes the answer fail", arguments: ["peaks", "loudness"])
  func sound(_ lie: String) async throws {
    let pool = try Workers.hostilePool
    let error = try await mediaError {
      try await withFile(Fixtures.path("aac.m4a"), as: "lie-sound-\(lie).m4a") { source in
        _ = try await pool.soundProfile(of: source)
      }
    }
    #expect(error?.reason.hasPrefix(Self.nonsense) == true)
  }

  /// A copy of the command beside a lying worker: it uses the worker beside it.
  private func programWithLyingWorker() throws -> String {
    let folder = temporary("bin")
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let program = "\(folder)/holdfast"
    do {
      try FileManager.default.linkItem(atPath: try Command.holdfast, toPath: program)
    } catch {
      try FileManager.default.copyItem(atPath: try Command.holdfast, toPath: program)
    }
    try FileManager.default.createSymbolicLink(
      atPath: "\(folder)/holdfast-worker", withDestinationPath: try Workers.hostile.path)
    return program
  }
}
