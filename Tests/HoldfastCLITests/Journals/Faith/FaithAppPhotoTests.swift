import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: an app's photos in several libraries", .temporaryFolder)
struct FaithAppPhotoTests {
  private let id = LibraryFolder.id(1)

  /// Writes the app's document, with two photos of one name in different folders.
  private func writeApp(_ title: String, updatedAt: String) throws -> String {
    let app = temporary("app")
    for folder in ["a", "b"] {
      let pictures = "\(app)/\(folder)"
      guard !FileManager.default.fileExists(atPath: pictures) else { continue }
      try FileManager.default.createDirectory(
        atPath: pictures, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Fixtures.path("photo.jpg"), toPath: "\(pictures)/sea.jpg")
    }
    try Data(
      """
      {"journalEntries": [{"id": "\(id)", "title": "\(title)", "content": "", "tags": [],
        "date": "2025-10-12T06:00:00Z", "isPrivate": false, "createdAt": "2025-10-12T06:00:00Z",
        "updatedAt": "\(updatedAt)", "photoURLs": ["file:///var/mobile/A/Documents/a/sea.jpg",
          "file:///var/mobile/A/Documents/b/sea.jpg"]}]}
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
    _ = try await texts.holdfast("import-app", "\(app)/faith.json")
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
