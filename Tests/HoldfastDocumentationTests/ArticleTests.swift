import Foundation
import Holdfast
import HoldfastCravings
import HoldfastModel
import HoldfastTestSupport
import HoldfastTesting
import Testing

/// The articles show the code in `Snippets`, which is compiled here. It sees only the public API,
/// like a program outside this package: the target depends on products only, and has no access to
/// `package` declarations.
@Suite("Articles", .temporaryFolder)
struct ArticleTests {
  @Test(
    "An article shows the snippet that is compiled here",
    arguments: [
      ("Holdfast/Holdfast.docc/ImportAFolder", "ImportAFolder"),
      ("Holdfast/Holdfast.docc/PlayAndCount", "PlayAndCount"),
      ("Holdfast/Holdfast.docc/Verify", "Verify"),
      ("HoldfastMedia/HoldfastMedia.docc/HoldfastMedia", "HoldfastMedia"),
      ("HoldfastTesting/HoldfastTesting.docc/HoldfastTesting", "HoldfastTesting"),
    ])
  func snippet(page: String, name: String) throws {
    let snippets = URL(filePath: #filePath).deletingLastPathComponent().path + "/Snippets"
    let source = try String(contentsOfFile: "\(snippets)/\(name).swift", encoding: .utf8)
    let code = try #require(source.range(of: "\nimport ")).lowerBound
    let article = try String(
      contentsOfFile: "\(Repository.root)/Sources/\(page).md", encoding: .utf8)
    let blocks = article.matches(of: #/```swift\n((?s:.*?))```/#).map { String($0.1) }
    #expect("\n" + blocks.joined(separator: "\n") == source[code...])
  }

  @Test("Import a folder: the new recordings are in the library, and a dry run counts them")
  func importsFolder() async throws {
    let phone = try folder("phone", of: ["portrait.mov", "voice.ogg"])
    let made = try await importFolder(phone, into: openLibrary(at: location))
    #expect(made.count == 2)
    #expect(try await sql("SELECT count(*) FROM recording") == "2")
    #expect(try await importFolder(phone, into: openLibrary(at: location)).isEmpty)
    try await expectIntact()

    let more = try folder("more", of: ["portrait.mov", "aac.m4a", "len-121.m4a"])
    #expect(try await recordingsToExpect(of: more, at: location) == 3)
    #expect(try await sql("SELECT count(*) FROM recording") == "2")
  }

  @Test("Play and count: the player gets the file, and the catalog the play and the craving")
  func playsAndCounts() async throws {
    let phone = try folder("phone", of: ["portrait.mov", "voice.ogg"])
    let library = try openLibrary(at: location)
    _ = try await importFolder(phone, into: library)

    let recording = try #require(try favourites(in: library).last)
    var played = 0.0
    let count = try await play(recording, at: location) { path in
      played = try await FFprobe.presentedDuration(path)
    }
    #expect(abs(played - recording.duration) < 0.1)
    #expect(count == 1)
    #expect(try favourites(in: library).first?.id == recording.id)
    let counted = "SELECT upper(id) FROM recording WHERE playCount = 1"
    #expect(try await sql(counted) == recording.id.uuidString)

    #expect(try noteHelp(of: recording, at: location) == nil)
    let now = Date()
    let cravings = try Library.open(at: location, for: .writing, journals: [.cravings])
    try cravings.add(Craving(timestamp: now, intensity: try Intensity(7), createdAt: now))
    #expect(try noteHelp(of: recording, at: location)?.recordingID == recording.id)
    #expect(try await sql("SELECT recordingId FROM craving") == recording.id.uuidString)
  }

  @Test("Verify: damage is found, and repaired with a backup")
  func verifies() async throws {
    let library = try openLibrary(at: location)
    let phone = try folder("phone", of: ["portrait.mov", "voice.ogg"])
    _ = try await importFolder(phone, into: library)
    _ = try await Command.output(of: "cp", ["-a", location.path, location.path + ".backup"])
    #expect(try await findings(at: location).isEmpty)

    let recording = try #require(try favourites(in: library).first)
    let file = try #require(FileHandle(forUpdatingAtPath: library.file(of: recording)))
    try file.seek(toOffset: 3000)
    try file.write(contentsOf: Data("damage".utf8))
    try file.close()

    let found = try await findings(at: location)
    #expect(found.map(\.kind) == [.contentChanged])
    #expect(found.first?.recording == recording.id)
    #expect(try await repair(location, from: location.path + ".backup"))
    try await expectIntact()

    #expect(try await verifyALittle(library)?.findings == 0)
    #expect(try await verifyALittle(library)?.read == 0)
  }

  @Test("HoldfastMedia: a source becomes a file that ffprobe reads")
  func converts() async throws {
    let path = TemporaryFolder.current + "/recording.mov"
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let source = try #require(FileHandle(forReadingAtPath: Fixtures.path("portrait.mov")))
    let output = try #require(FileHandle(forUpdatingAtPath: path))
    let report = try await convert(source, named: "portrait.mov", into: output)
    #expect(abs(try await FFprobe.presentedDuration(path) - report.plan.duration) < 0.1)
    #expect(try await FFprobe.streams(path).compactMap(\.codecType).sorted() == ["audio", "video"])
  }

  @Test("HoldfastTesting: a test has a library in one line, and nothing is left of it")
  func testing() async throws {
    #expect(try await averageIntensity(of: [3, 8]) == 5.5)
    let path = try await withTemporaryLibrary { $0.path }
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  private var location: LibraryLocation {
    LibraryLocation(path: TemporaryFolder.current + "/library")
  }

  private func folder(_ name: String, of fixtures: [String]) throws -> String {
    let path = "\(TemporaryFolder.current)/\(name)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    for fixture in fixtures {
      try FileManager.default.copyItem(
        atPath: Fixtures.path(fixture), toPath: "\(path)/\(fixture)")
    }
    return path
  }

  private func sql(_ query: String) async throws -> String {
    let answer = try await Command.output(
      of: "sqlite3", ["-batch", "-noheader", location.path + "/catalog.sqlite", query])
    return answer.output.trimmingCharacters(in: .newlines)
  }

  private func expectIntact(sourceLocation: SourceLocation = #_sourceLocation) async throws {
    let result = try await Command.run(
      Command.holdfast, ["verify", "--deep", "--library", location.path])
    #expect(result.status == 0, "\(result.output)", sourceLocation: sourceLocation)
  }
}
