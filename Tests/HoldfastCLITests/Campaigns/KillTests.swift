import Foundation
import Glibc
import HoldfastTestSupport
import Testing

@Suite("Imports that are killed", .temporaryFolder, .serialized)
struct KillTests {
  let library = LibraryFolder()
  /// Sources to copy, to encode and to split; the last takes long enough to be killed in.
  private static let names = [
    "aac.m4a", "odd.webm", "portrait.mov", "voice.wav", "len-121.m4a", "len-120.05.ogg",
  ]
  private static let splitting = ["import", "--over-limit", "split"]
  private static let kills = Extent.choose(sample: 15, whole: 100)

  @Test(
    "After many kills at random moments, one import makes the library whole",
    .timeLimit(.minutes(40)))
  func kills() async throws {
    let sources = try makeFolder("in", holding: Self.names)
    var usual = try await ContinuousClock().measure {
      _ = try await LibraryFolder("trial").holdfast(Self.splitting + [sources])
    }
    // Other tests may have kept the processor busy.
    usual = min(usual, .milliseconds(800))
    var killed = 0
    // An import that ended before its moment was not killed, and does not count.
    for round in 1...5 * Self.kills where killed < Self.kills {
      // Imported again each time: a complete library has nothing to lose.
      let status = try await importAndKill(sources, within: usual)
      if status == 128 + SIGKILL { killed += 1 }
      if round.isMultiple(of: 10) { try await forgetSome() }
    }
    #expect(killed == Self.kills)
    try await expectWholeAfterOneMoreImport(sources)
  }

  private func importAndKill(_ sources: String, within usual: Duration) async throws -> Int32 {
    let arguments = Self.splitting + ["--allow-duplicates", "--jobs", "2", sources]
    return try await Command.start(Command.holdfast, library.command(arguments)) { process in
      async let look: Void = expectListedFilesAreThere()
      let moment = ContinuousClock.now + usual * Double.random(in: 0...1)
      _ = try await wait(for: process) { ContinuousClock.now >= moment }
      process.send(SIGKILL, toGroup: true)
      try await look
    }.status
  }

  /// A row refers to a complete file at any moment.
  private func expectListedFilesAreThere() async throws {
    guard Int.random(in: 0..<5) == 0 else { return }
    let result = try await library.holdfast("list", "--json", "--limit", "1000")
    try #require(result.status == 0, "\(result.errorOutput)")
    struct Listed: Decodable {
      var filePath: String
      var thumbnailPath: String?
      var fileSize: Int
    }
    for row in try JSONDecoder().decode([Listed].self, from: Data(result.outputBytes)) {
      let file = "\(library.path)/\(row.filePath)"
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      #expect(size == row.fileSize)
      if let thumbnail = row.thumbnailPath {
        #expect(FileManager.default.fileExists(atPath: "\(library.path)/\(thumbnail)"))
      }
    }
  }

  /// Sometimes the library starts empty.
  private func forgetSome() async throws {
    try await expectRecovers()
    try FileManager.default.removeItem(atPath: library.path)
    _ = LibraryFolder()
  }

  private func expectRecovers() async throws {
    let result = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    #expect(result.status == 0, "\(result.errorOutput)")
    try await library.expectSound()
  }

  private func expectWholeAfterOneMoreImport(_ sources: String) async throws {
    let result = try await library.holdfast(Self.splitting + [sources])
    #expect(result.status == 0, "\(result.errorOutput)")
    try await library.expectSound()
    // All parts of a source were imported together, each time.
    let parts = try await library.sql(
      "SELECT part, count(*) FROM recording WHERE partCount = 2 GROUP BY part")
    #expect(parts.map(\.first) == ["1", "2"] && parts.first?.last == parts.last?.last)
    let hashes = try await sha256(of: Self.names.map(Fixtures.path))
    let known = try await library.column("SELECT DISTINCT sourceSHA256 FROM recording")
    #expect(Set(known) == Set(hashes.values))
  }

  @Test("However often an import is killed, each source is imported exactly once in the end")
  func onceEach() async throws {
    let sources = try makeFolder("in", holding: Self.names)
    var killed = 0
    for delay in stride(from: 10, through: 400, by: Extent.choose(sample: 60, whole: 15)) {
      let status = try await Command.start(
        Command.holdfast, library.command(Self.splitting + [sources])
      ) { process in
        try await Task.sleep(for: .milliseconds(delay))
        process.send(SIGKILL, toGroup: true)
      }.status
      if status == 128 + SIGKILL { killed += 1 }
    }
    #expect(killed > 0)
    try await expectWholeAfterOneMoreImport(sources)
    let counts = try await library.sql(
      "SELECT count(*), count(DISTINCT sourceSHA256), count(DISTINCT originalFilename) FROM "
        + "recording"
    )
    #expect(counts == [["7", "6", "6"]])
  }
}
