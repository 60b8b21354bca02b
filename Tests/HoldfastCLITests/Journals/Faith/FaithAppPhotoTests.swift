import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: an app's photos in several libraries", .temporaryFolder)
struct FaithAppPhotoTests {
  private let id = LibraryFolder.id(1)

  /// Writes the app's document, with photos of one name in different folders.
  private func writeApp(
    _ title: String, updatedAt: String, _ folders: [String] = ["a", "b"],
    as name: String = "sea.jpg"
  ) throws -> String {
    let app = temporary("app")
    for folder in folders {
      let pictures = "\(app)/\(folder)"
      guard !FileManager.default.fileExists(atPath: pictures) else { continue }
      try FileManager.default.createDirectory(
        atPath: pictures, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Fixtures.path("photo.jpg"), toPath: "\(pictures)/\(name)")
    }
    let paths = folders.map {
      #""file:///var/mobile/A/Documents/\#($0)/\#(name.precomposedStringWithCanonicalMapping)""#
    }
    try Data(
      """
      {"journalEntries": [{"id": "\(id)", "title": "\(title)", "content": "", "tags": [],
        "date": "2025-10-12T06:00:00Z", "isPrivate": false, "createdAt": "2025-10-12T06:00:00Z",
        "updatedAt": "\(updatedAt)", "photoURLs": [\(paths.joined(separator: ", "))]}]}
      """.utf8
    ).write(to: URL(filePath: "\(app)/faith.json"))
    return app
  }

  private func expectPhotos(
    _ library: LibraryFolder, _ title: String, _ moment: String
  ) async throws {
    #expect(
      try await library.column("SELECT name FROM entryPhotoFile ORDER BY position")
        == ["sea.jpg", "b/sea.jpg"], "\(moment)")
    #expect(try await library.column("SELECT reference FROM entryPhoto") == [], "\(moment)")
    #expect(try await library.column("SELECT title FROM journalEntry") == [title], "\(moment)")
    #expect(try await library.find("-name", "photo_*").count == 2, "\(moment)")
    try await library.expectSound(moment)
  }

  private func photos(_ library: LibraryFolder) async throws -> [String] {
    try await library.column("SELECT name FROM entryPhotoFile ORDER BY name")
  }

  @Test("A new photo in the app comes, whatever its name, and whatever was edited here meanwhile")
  func added() async throws {
    let library = try await LibraryFolder.withFaith()
    let app = try writeApp("Sea", updatedAt: "2025-10-12T06:00:00Z", ["a"])
    let plan = try await library.holdfast("import-app", app, "--dry-run")
    #expect(
      plan.errorLines.contains("note: 1 photo would come with the entries, if they can be read"))
    _ = try await library.holdfast("import-app", app)
    _ = try await library.holdfast("faith", "entry", "edit", id, "--title", "Mine")
    for folders in [["c", "a"], ["d", "c", "a"]] {
      let result = try await library.holdfast(
        "import-app", try writeApp("Lake", updatedAt: "2025-10-13T06:00:00Z", folders))
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    #expect(try await photos(library) == ["c/sea.jpg", "d/sea.jpg", "sea.jpg"])
    #expect(try await library.column("SELECT title FROM journalEntry") == ["Mine"])
    _ = try await library.holdfast(
      "import-app", try writeApp("Last", updatedAt: "2100-01-01T00:00:00Z", ["d", "c", "a"]))
    #expect(try await library.column("SELECT reference FROM entryPhoto") == [])
    let dry = try await library.holdfast("import-app", temporary("app"), "--dry-run")
    #expect(!dry.output.contains("photos would"), "\(dry.output)")
    try await library.expectSound()
  }

  @Test("Of a photo that two libraries imported, both keep the earlier import's time")
  func importedTwice() async throws {
    let app = try writeApp("Sea", updatedAt: "2025-10-12T06:00:00Z", ["a"])
    let libraries = [
      try await LibraryFolder.withFaith(), try await LibraryFolder.withFaith("other"),
    ]
    for library in libraries { _ = try await library.holdfast("import-app", app) }
    let time = "SELECT createdAt FROM entryPhotoFile"
    let earlier = try await libraries[0].column(time)
    for (library, other) in [(libraries[1], libraries[0]), (libraries[0], libraries[1])] {
      let result = try await library.holdfast("merge", other.path)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await library.column(time) == earlier)
      try await library.expectSound()
    }
  }

  @Test("Photos come after their document too, with a name that a Mac has decomposed")
  func afterDocument() async throws {
    let name = "Fête.jpg".decomposedStringWithCanonicalMapping
    let app = try writeApp("Sea", updatedAt: "2025-10-12T06:00:00Z", ["a"], as: name)
    let library = try await LibraryFolder.withFaith()
    let first = try await library.holdfast("import-app", app)
    #expect(first.status == 0, "\(first.errorOutput)")
    #expect(try await photos(library).count == 1)
    let document = temporary("export.json")
    _ = try await library.holdfast("export", "--format", "json", "--output", document)
    for folder in [app, temporary("out")] {
      if folder != app { _ = try await library.holdfast("export", "--format", "app", folder) }
      let other = try await LibraryFolder.withFaith("other-\(folder == app)")
      _ = try await other.holdfast("import-data", document)
      #expect(try await photos(other).isEmpty)
      let result = try await other.holdfast("import-app", folder)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await photos(other) == photos(library))
      try await other.expectSound()
    }
    // One whose file is lost here is named.
    try await library.importing("aac.m4a")
    for file in try await library.find("-name", "photo_*") {
      try FileManager.default.removeItem(atPath: "\(library.path)/\(file)")
    }
    let lost = try await library.holdfast("import-app", app)
    #expect(lost.status == 3 && lost.errorOutput.contains("its file is missing"))
  }

  @Test("A reference that cannot be kept is named, and the entry comes without it")
  func oddReferences() async throws {
    let app = try writeApp("Sea", updatedAt: "2025-10-12T06:00:00Z", ["a"])
    let odd = ["..", "  ", #"a\\b"#, "ph://8A3F/L0/001", String(repeating: "x", count: 1001)]
    let document = try String(contentsOfFile: "\(app)/faith.json", encoding: .utf8)
    let list = odd.map { "\"\($0)\"" }.joined(separator: ", ")
    try Data(document.replacing("\"photoURLs\": [", with: "\"photoURLs\": [\(list), ").utf8)
      .write(to: URL(filePath: "\(app)/faith.json"))
    let library = try await LibraryFolder.withFaith()
    let result = try await library.holdfast("import-app", app)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect((result.output + result.errorOutput).contains("ph://8A3F/L0/001"), "\(result.output)")
    #expect(try await photos(library) == ["sea.jpg"])
    #expect(try await library.column("SELECT reference FROM entryPhoto") == [])
  }

  @Test("A voice note in the folder of recordings comes once, with what its entry says")
  func voiceNote() async throws {
    let app = temporary("app")
    try FileManager.default.createDirectory(
      atPath: "\(app)/Recordings", withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      atPath: Fixtures.path("aac.m4a"), toPath: "\(app)/Recordings/note.m4a")
    try Data(
      """
      {"journalEntries": [{"id": "\(id)", "title": "Sea", "content": "", "tags": [],
        "date": "2024-01-02T06:00:00Z", "isPrivate": false, "createdAt": "2024-01-02T06:00:00Z",
        "audioURL": "Recordings/note.m4a", "photoURLs": []}]}
      """.utf8
    ).write(to: URL(filePath: "\(app)/faith.json"))
    let library = try await LibraryFolder.withFaith()
    let result = try await library.holdfast("import-app", app)
    #expect(result.status == 0, "\(result.errorOutput)")
    let rows = try await library.column(
      "SELECT title || substr(timestamp, 1, 10) || purpose || (id = '\(id)') FROM recording")
    #expect(rows == ["Sea2024-01-02reflection1"], "\(result.output)")
    #expect(try await library.column("SELECT recordingId FROM journalEntry") == [id])
  }

  @Test("Each photo is there once, after an edit in the app, a merge, and an export")
  func once() async throws {
    let app = try writeApp("Sea", updatedAt: "2025-10-12T06:00:00Z")
    let library = try await LibraryFolder.withFaith()
    let other = try await LibraryFolder.withFaith("other")
    let texts = try await LibraryFolder.withFaith("texts")
    for library in [library, other] {
      let result = try await library.holdfast("import-app", app)
      #expect(result.status == 0, "\(result.errorOutput)")
      try await expectPhotos(library, "Sea", "after the import")
    }
    _ = try writeApp("Lake", updatedAt: "2025-10-13T06:00:00Z")
    _ = try await library.holdfast("import-app", app)
    try await expectPhotos(library, "Lake", "after an edit in the app")
    // The document alone has no photos.
    let beside = try await LibraryFolder.withFaith("beside")
    _ = try await beside.holdfast("import-app", "\(app)/faith.json")
    try await expectPhotos(beside, "Lake", "after the import of a document with photos beside it")
    let alone = temporary("alone.json")
    try FileManager.default.copyItem(atPath: "\(app)/faith.json", toPath: alone)
    _ = try await texts.holdfast("import-app", alone)
    #expect(
      try await texts.column("SELECT reference FROM entryPhoto ORDER BY reference")
        == ["b/sea.jpg", "sea.jpg"])
    for (one, two) in [(other, texts), (library, other), (texts, library), (other, library)] {
      let merged = try await one.holdfast("merge", two.path)
      #expect(merged.status == 0, "\(merged.errorOutput)")
      try await expectPhotos(one, "Lake", "after a merge")
    }
    _ = try await library.holdfast("export", "--format", "app", temporary("out"))
    let new = try await LibraryFolder.withFaith("new")
    for library in [new, library] {
      let result = try await library.holdfast("import-app", temporary("out"))
      #expect(result.status == 0 && !result.errorOutput.contains("kept"), "\(result.errorOutput)")
      try await expectPhotos(library, "Lake", "after the import of an export")
    }
  }
}
