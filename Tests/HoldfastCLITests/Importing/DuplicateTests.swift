import Foundation
import HoldfastTestSupport
import Testing

@Suite("Sources that are in the library already", .temporaryFolder)
struct DuplicateTests {
  let library = LibraryFolder()

  private func recordingCount() async throws -> String? {
    try await library.column("SELECT count(*) FROM recording").first
  }

  @Test("A second import adds nothing, says so, and leaves sources and library as they were")
  func secondImport() async throws {
    let sources = try makeFolder("in", holding: ["aac.m4a", "odd.webm", "portrait.mov"])
    let before = try await Find.snapshot(sources)
    let hashes = try await sha256(of: Find.names(sources, []).map { "\(sources)/\($0)" })
    try #require(try await library.holdfast("import", sources).status == 0)
    let files = try await Find.snapshot("\(library.path)/Recordings")
    let ids = try await library.column(
      "SELECT substr(id, 1, 8) FROM recording ORDER BY originalFilename")
    let again = try await library.holdfast("import", "--jobs", "1", sources)
    #expect(again.status == 0)
    #expect(again.output == "Nothing new: 3 already in the library.\n")
    #expect(
      again.errorLines == [
        "skipped   \(sources)/aac.m4a: already in the library as \(ids[0])",
        "skipped   \(sources)/odd.webm: already in the library as \(ids[1])",
        "skipped   \(sources)/portrait.mov: already in the library as \(ids[2])",
      ])
    #expect(try await Find.snapshot("\(library.path)/Recordings") == files)
    #expect(try await recordingCount() == "3")
    #expect(try await Find.snapshot(sources) == before)
    #expect(
      try await sha256(of: Find.names(sources, []).map { "\(sources)/\($0)" }) == hashes)
    let quiet = try await library.holdfast("import", "--quiet", sources)
    #expect(quiet.errorOutput.isEmpty)
    #expect(quiet.output == "Nothing new: 3 already in the library.\n")
  }

  @Test("A copy of a source under another name is known by its bytes")
  func otherName() async throws {
    try await library.importing("voice.wav")
    let copy = try copyFixture("voice.wav", to: "other.mov")
    let events = try await library.importEvents(copy)
    #expect(events.first?.reason == "duplicate")
    #expect(try await library.column("SELECT id FROM recording") == [events.first?.recording])
  }

  @Test("The same source several times in one run is imported once")
  func withinOneRun() async throws {
    let sources = try makeFolder("in", holding: ["odd.webm"])
    for number in 1...5 { try copyFixture("odd.webm", to: "in/\(number).webm") }
    let events = try await library.importEvents(sources, "\(sources)/odd.webm", "--jobs", "4")
    #expect(events.last?.imported == 1)
    #expect(events.last?.skipped == 6)
    try await library.expectSound()
  }

  @Test("A file that was copied out of the library is known, although it was never a source")
  func copiedOut() async throws {
    try await library.importing("odd.webm", "portrait.mov")
    for row in try await library.sql(
      "SELECT id, filePath, fileSHA256, sourceSHA256 FROM recording")
    {
      try #require(row[2] != row[3])
      let copy = temporary("\(row[0]).mov")
      try FileManager.default.copyItem(atPath: "\(library.path)/\(row[1])", toPath: copy)
      let event = try #require(try await library.importEvents(copy).first)
      #expect(event.reason == "duplicate")
      #expect(event.recording == row[0])
    }
    #expect(try await recordingCount() == "2")
  }

  @Test(
    "The library's own files are never a source, however they are named",
    arguments: Extent.sample(
      ["library", "library/Recordings", "file", "link", "folder above"], every: 3))
  func ownFolder(named: String) async throws {
    try await library.importing("portrait.mov")
    let file = try #require(try await library.column("SELECT filePath FROM recording").first)
    let link = temporary("link.mov")
    try FileManager.default.createSymbolicLink(
      atPath: link, withDestinationPath: "\(library.path)/\(file)")
    let path =
      switch named {
      case "file": "\(library.path)/\(file)"
      case "link": link
      case "folder above": TemporaryFolder.current
      default: temporary(named)
      }
    // Renamed and made again: only its folder shows that it is the library's.
    for options in [[], ["--allow-duplicates"]] {
      let result = try await library.holdfast(["import", path] + options)
      #expect(result.status == 3)
      #expect(result.output == "Nothing new: 1 refused.\n")
      #expect(result.errorOutput.contains("inside a Holdfast library"))
    }
    let other = try await LibraryFolder("other").holdfast("import", path)
    #expect(other.status == 3)
    #expect(try await recordingCount() == "1")
    try await library.expectSound()
  }

  @Test("--allow-duplicates imports a source again, as a separate recording")
  func allowed() async throws {
    try await library.importing("portrait.mov")
    try await library.importing("portrait.mov", options: ["--allow-duplicates"])
    let counts = try await library.sql(
      "SELECT count(*), count(DISTINCT id), count(DISTINCT sourceSHA256) FROM recording")
    #expect(counts == [["2", "2", "1"]])
    try await library.expectSound()
  }
}
