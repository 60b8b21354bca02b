import Foundation
import HoldfastTestSupport
import Testing

/// An entry's photo in the commands' JSON.
struct PhotoRecord: Decodable {
  var id: String
  var name: String
  var fileSize: Int
  var fileSHA256: String
}

struct EntryWithPhotos: Decodable {
  var id: String
  var photoURLs: [String]
  var photos: [PhotoRecord]?
}

@Suite("Faith: the photos of entries", .temporaryFolder)
struct FaithPhotoTests {
  /// A library with an entry that has two photos.
  private func library(
    _ name: String = "library"
  ) async throws -> (LibraryFolder, entry: EntryWithPhotos) {
    let library = try await LibraryFolder.withFaith(name)
    let result = try await library.holdfast(
      "faith", "entry", "write", "--title", "Sea", "--photo", Fixtures.path("photo.jpg"), "--photo",
      try await picture(), "--json")
    try #require(result.status == 0, "\(result.errorOutput)")
    let id = try result.json(FaithRecord.self).id
    return (library, try await entry(id, in: library))
  }

  private func picture(_ name: String = "drawn.png") async throws -> String {
    let path = temporary(name)
    _ = try await Command.output(
      of: "ffmpeg",
      ["-v", "error", "-f", "lavfi", "-i", "testsrc2=s=640x480", "-frames:v", "1", "-y", path])
    return path
  }

  private func entry(_ id: String, in library: LibraryFolder) async throws -> EntryWithPhotos {
    try await library.holdfast("faith", "entry", "show", id, "--json").json()
  }

  private func file(_ photo: PhotoRecord, in library: LibraryFolder) -> String {
    "\(library.path)/Recordings/Photos/photo_\(photo.id).jpg"
  }

  @Test("are copied into the library, shown, and deleted with their entry")
  func life() async throws {
    let (library, entry) = try await library()
    let photos = try #require(entry.photos)
    #expect(photos.map(\.name) == ["photo.jpg", "drawn.png"])
    try await library.expectSound("after writing")
    for photo in photos {
      let data = try Data(contentsOf: URL(filePath: file(photo, in: library)))
      #expect(data.count == photo.fileSize && data.starts(with: [0xFF, 0xD8]))
      #expect(try await sha256(of: file(photo, in: library)) == photo.fileSHA256)
    }
    let shown = try await library.holdfast("faith", "entry", "show", entry.id)
    #expect(shown.output.contains("Recordings/Photos/photo_\(photos[0].id).jpg"), "\(shown.output)")
    let none = try await library.holdfast(
      "faith", "entry", "remove-photo", entry.id, "zzzz", "--yes")
    #expect(none.status == 1)
    #expect(
      none.errorLines.count == 1 && none.errorOutput.hasSuffix("the entry has no photo zzzz\n"))
    let removed = try await library.holdfast(
      "faith", "entry", "remove-photo", entry.id, photos[0].id, "--yes")
    #expect(removed.status == 0, "\(removed.errorOutput)")
    try await library.expectSound("after removing one")
    #expect(try await library.find("-name", "photo_*").count == 1)
    let added = try await library.holdfast(
      "faith", "entry", "add-photo", entry.id, Fixtures.path("photo.jpg"), "--json")
    #expect(try added.json(EntryWithPhotos.self).photos?.map(\.name) == ["drawn.png", "photo.jpg"])
    let deleted = try await library.holdfast("faith", "entry", "delete", entry.id, "--yes")
    #expect(deleted.status == 0, "\(deleted.errorOutput)")
    try await library.expectSound("after deleting")
    #expect(try await library.find("-name", "photo_*").isEmpty)
  }

  @Test("that are refused leave nothing behind, and the entry is not written")
  func refusal() async throws {
    let library = try await LibraryFolder.withFaith()
    for (file, words) in [
      (Fixtures.path("photo.heic"), "convert a photo to JPEG"),
      (Fixtures.path("aac.m4a"), "convert"), (temporary("none.jpg"), "none.jpg"),
    ] {
      let result = try await library.holdfast(
        "faith", "entry", "write", "--title", "Sea", "--photo", Fixtures.path("photo.jpg"),
        "--photo", file)
      #expect(result.status == 1 && result.errorOutput.contains(words), "\(result.errorOutput)")
    }
    #expect(try await library.faiths("entry", "list").isEmpty)
    try await library.expectSound()
    #expect(try await library.find("-name", "photo_*").isEmpty)
  }

  @Test("that are only named as text give way to a file of that name, and stay otherwise")
  func reference() async throws {
    let (library, entry) = try await library()
    try await library.changeCatalog(
      """
      INSERT INTO entryPhoto VALUES ('\(entry.id)', 0, '2025/wave.png');
      INSERT INTO entryPhoto VALUES ('\(entry.id)', 1, 'other.jpg');
      """)
    _ = try await library.holdfast(
      "faith", "entry", "add-photo", entry.id, try await picture("wave.png"))
    let now = try await self.entry(entry.id, in: library)
    #expect(now.photoURLs == ["other.jpg"] && now.photos?.count == 3)
    _ = try await library.holdfast("faith", "entry", "remove-photo", entry.id, "other.jpg")
    #expect(try await self.entry(entry.id, in: library).photoURLs.isEmpty)
    try await library.expectSound()
  }

  @Test("An entry with photos cannot be deleted behind their back")
  func restricted() async throws {
    let (library, entry) = try await library()
    let result = try await Command.run(
      "sqlite3",
      [
        "\(library.path)/catalog.sqlite",
        "PRAGMA foreign_keys = ON; DELETE FROM journalEntry WHERE id = '\(entry.id)'",
      ])
    #expect(result.status != 0)
    try await library.expectSound()
  }

  @Test("that are missing, cut, changed or unknown are found, and repaired from a backup")
  func damage() async throws {
    let (library, entry) = try await library()
    let photos = try #require(entry.photos)
    let paths = photos.map { file($0, in: library) }
    let backup = temporary("backup")
    let backedUp = try await library.holdfast("backup", backup)
    #expect(backedUp.status == 0, "\(backedUp.errorOutput)")
    for (script, kind, deep) in [
      (#"rm "$1""#, "fileMissing", false),
      (#"truncate -s -1 "$1""#, "wrongSize", false),
      (#"printf X | dd of="$1" bs=1 seek=1000 conv=notrunc status=none"#, "contentChanged", true),
    ] {
      _ = try await Command.output(of: "bash", ["-ec", script, "bash", paths[0]])
      let found = try await library.holdfast(["verify", "--json"] + (deep ? ["--deep"] : []))
      #expect(found.status == 4)
      let finding = try #require(try found.jsonLines(of: Finding.self).first)
      #expect(finding.kind == kind && finding.path == "Recordings/Photos/photo_\(photos[0].id).jpg")
      #expect(finding.recording == nil)
      let repaired = try await library.holdfast("verify", "--repair", "--from", backup)
      #expect(repaired.status == 0 || repaired.status == 4, "\(repaired.errorOutput)")
      try await library.expectSound("after \(kind)")
    }
    let stray = "\(library.path)/Recordings/Photos/photo_\(UUID().uuidString).jpg"
    try FileManager.default.copyItem(atPath: paths[1], toPath: stray)
    #expect(try await library.findings().map(\.kind) == ["unknownFile"])
    let private_ = try await library.holdfast("doctor", "--privacy", "--json")
    #expect(!private_.output.contains("personalData"), "\(private_.output)")
    _ = try await library.holdfast("verify", "--repair")
    try await library.expectSound("after the stray")
    #expect(try await library.find("-path", "*/.quarantine/*/Photos/*").count >= 1)
  }

  @Test("are checked for metadata")
  func privacy() async throws {
    let (library, entry) = try await library()
    let photo = try #require(entry.photos?.first)
    let clean = try await library.holdfast("doctor", "--privacy")
    #expect(clean.status == 0, "\(clean.output) \(clean.errorOutput)")
    _ = try await Command.output(
      of: "exiftool",
      ["-q", "-overwrite_original", "-GPSLatitude=59.9", file(photo, in: library)])
    let result = try await library.holdfast("doctor", "--privacy", "--json")
    #expect(result.status == 4 && result.output.contains("APP1"), "\(result.output)")
  }

  @Test("are in a backup, and come back with it")
  func backup() async throws {
    let (library, entry) = try await library()
    let backup = temporary("backup")
    let made = try await library.holdfast("backup", backup, "--verify")
    #expect(made.status == 0, "\(made.errorOutput)")
    let bag = try #require(
      try FileManager.default.contentsOfDirectory(atPath: backup).first { !$0.hasPrefix(".") })
    for photo in try #require(entry.photos) {
      let copy = "\(backup)/\(bag)/data/Recordings/Photos/photo_\(photo.id).jpg"
      #expect(try await sha256(of: copy) == photo.fileSHA256)
    }
    let verified = try await library.holdfast("backup", "verify", backup)
    #expect(verified.status == 0, "\(verified.output)")
    let restored = LibraryFolder(at: "restored")
    let result = try await library.holdfast("restore", backup, "--to", restored.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    try await restored.expectSound()
    #expect(try await self.entry(entry.id, in: restored).photos?.count == 2)
  }

  @Test("come with a merge, before their rows; a damaged one is left out by name")
  func merge() async throws {
    let (library, entry) = try await library()
    let other = try await LibraryFolder.withFaith("other")
    let first = try await other.holdfast("merge", library.path)
    #expect(first.status == 0, "\(first.errorOutput)")
    try await other.expectSound("after the merge")
    #expect(try await self.entry(entry.id, in: other).photos?.count == 2)
    let again = try await other.holdfast("merge", library.path)
    #expect(again.status == 0, "\(again.errorOutput)")
    try await other.expectSound("after the second merge")
    try await library.expectSound("the source")
    // One that is lost here is named, as the other library may have the only copy.
    let lost = try #require(entry.photos?.last)
    let path = file(lost, in: other)
    for command in [["mv", path, temporary("photo")], ["cp", Fixtures.path("photo.jpg"), path]] {
      _ = try await Command.output(of: command[0], Array(command.dropFirst()))
      _ = try await other.holdfast("verify", "--deep")
      let merged = try await other.holdfast("merge", library.path)
      #expect(merged.status == 3)
      #expect(merged.errorOutput.contains("the other library has it"), "\(merged.errorOutput)")
      #expect(
        merged.lines.contains("photos: 1 not merged")
          && !merged.output.contains("recordings: 1 not merged"), "\(merged.output)")
      let doctor = try await other.holdfast("doctor")
      #expect((doctor.output + doctor.errorOutput).contains("1 photo is known to be missing"))
      let stats = try await other.holdfast("stats")
      #expect(stats.output.contains("1 photo is known to be missing"), "\(stats.output)")
    }
    _ = try await Command.output(of: "mv", [temporary("photo"), path])
    let third = try await LibraryFolder.withFaith("third")
    let photo = try #require(entry.photos?.first)
    _ = try await Command.output(of: "truncate", ["-s", "-1", file(photo, in: library)])
    let damaged = try await third.holdfast("merge", "--take", library.path)
    #expect(damaged.status == 3, "\(damaged.output)")
    #expect((damaged.output + damaged.errorOutput).contains("photo is copied"))
    try await third.expectSound("after the merge of a damaged photo")
    #expect(try await self.entry(entry.id, in: third).photos?.count == 1)
  }

  @Test("keep their files when the catalog is rebuilt, and when their rows are lost")
  func rebuild() async throws {
    let (library, entry) = try await library()
    try await library.importing("aac.m4a")
    let document = temporary("export.json")
    _ = try await library.holdfast("export", "--format", "json", "--output", document)
    let damage = [
      "if=/dev/urandom", "of=\(library.path)/catalog.sqlite", "bs=100", "count=1", "conv=notrunc",
      "status=none",
    ]
    _ = try await Command.output(of: "dd", damage)
    let result = try await library.holdfast("restore", "--rebuild")
    #expect(result.status == 0, "\(result.output) \(result.errorOutput)")
    #expect(try await self.entry(entry.id, in: library).photos?.count == 2)
    try FileManager.default.removeItem(atPath: "\(library.path)/catalog.sqlite")
    let without = try await library.holdfast("restore", "--rebuild")
    #expect((without.output + without.errorOutput).contains("no row names this photo"))
    #expect(try await library.find("-path", "*/Recordings/Photos/photo_*").count == 2)
    // An export brings their rows back, except that of a file which is another one now.
    _ = try await library.holdfast("journal", "enable", "faith")
    let photos = try #require(entry.photos)
    let (first, kept) = (file(photos[0], in: library), temporary("kept.jpg"))
    _ = try await Command.output(of: "cp", [first, kept])
    _ = try await Command.output(of: "truncate", ["-s", "-1", first])
    for (status, count) in [(3, 1), (0, 2)] {
      let dry = try await library.holdfast("import-data", document, "--dry-run")
      let imported = try await library.holdfast("import-data", document)
      #expect(imported.status == status && dry.status == status, "\(imported.errorOutput)")
      #expect(try await self.entry(entry.id, in: library).photos?.count == count)
      _ = try await Command.output(of: "cp", [kept, first])
    }
    try await library.expectSound("after the import")
  }

  @Test("that lose their entry are named by a rebuild, not counted as kept, and stay in backups")
  func leftByRebuild() async throws {
    let (library, entry) = try await library()
    let restored = LibraryFolder(at: "restored")
    try await library.changeCatalog("DELETE FROM journalEntry WHERE id = '\(entry.id)'")
    let damage = "dd if=/dev/urandom of=\(library.path)/catalog.sqlite bs=16 count=1 conv=notrunc"
    _ = try await Command.output(of: "bash", ["-ec", damage])
    let rebuilt = try await library.holdfast("restore", "--rebuild")
    #expect(rebuilt.status == 3, "\(rebuilt.errorOutput)")
    let said = rebuilt.output + rebuilt.errorOutput
    #expect(!said.contains("2 photos"), "\(said)")
    for photo in try #require(entry.photos) { #expect(said.contains(photo.id), "\(said)") }
    let backedUp = try await library.holdfast("backup", temporary("backups"))
    #expect(backedUp.status == 0, "\(backedUp.errorOutput)")
    let brought = try await library.holdfast("restore", temporary("backups"), "--to", restored.path)
    #expect(brought.status == 3, "\(brought.output) \(brought.errorOutput)")
    #expect(try await restored.find("-path", "*/Recordings/Photos/photo_*").count == 2)
  }

  @Test("whose rows are lost come back with a merge; another file in their place is named")
  func mergeAfterRebuild() async throws {
    let (library, entry) = try await library()
    let copy = LibraryFolder(at: "copy")
    _ = try await Command.output(of: "cp", ["-a", library.path, copy.path])
    try FileManager.default.removeItem(atPath: "\(library.path)/catalog.sqlite")
    _ = try await library.holdfast("restore", "--rebuild")
    _ = try await library.holdfast("journal", "enable", "faith")
    let first = file(try #require(entry.photos?.first), in: library)
    _ = try await Command.output(of: "truncate", ["-s", "-1", first])
    let partial = try await library.holdfast("merge", copy.path)
    #expect(partial.status == 3)
    #expect(partial.errorOutput.contains("another file is in its place"), "\(partial.errorOutput)")
    #expect(try await self.entry(entry.id, in: library).photos?.count == 1)
    _ = try await library.holdfast("verify", "--repair")
    let merged = try await library.holdfast("merge", copy.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(try await self.entry(entry.id, in: library).photos?.count == 2)
    try await library.expectSound()
    // Nothing is left of a journal that is erased, even if its rows were lost.
    try FileManager.default.removeItem(atPath: "\(library.path)/catalog.sqlite")
    _ = try await library.holdfast("restore", "--rebuild")
    _ = try await library.holdfast("journal", "enable", "faith")
    let erased = try await library.holdfast("journal", "disable", "faith", "--erase", "--yes")
    #expect(erased.status == 0, "\(erased.errorOutput)")
    let left = try await library.find("-name", "photo_*").filter { $0.hasPrefix("Recordings/") }
    #expect(left.isEmpty, "\(left)")
  }

  @Test("that are all that a library has, and are lost, can be given up one by one")
  func lost() async throws {
    let (library, entry) = try await library()
    let photos = try #require(entry.photos)
    let early = try await library.holdfast("delete", "--lost", photos[0].id, "--yes")
    #expect(early.status != 0)
    for photo in photos { try FileManager.default.removeItem(atPath: file(photo, in: library)) }
    let refused = try await library.holdfast("import", Fixtures.path("aac.m4a"))
    #expect(refused.status != 0 && refused.errorOutput.contains("delete --lost"))
    // A beginning that two photos have names neither.
    let (one, two) = (photos[0].id, photos[0].id.prefix(8) + photos[1].id.dropFirst(8))
    try await library.changeCatalog(
      "UPDATE entryPhotoFile SET id = '\(two)' WHERE id = '\(photos[1].id)'")
    let both = try await library.holdfast("delete", "--lost", String(one.prefix(8)), "--yes")
    #expect(both.status != 0 && both.errorOutput.contains("more than one id"))
    #expect(try await library.column("SELECT count(*) FROM entryPhotoFile") == ["2"])
    let deleted = try await library.holdfast(
      "delete", "--lost", String(one.lowercased().prefix(20)), String(two), "--yes")
    #expect(deleted.status == 0, "\(deleted.errorOutput)")
    try await library.importing("aac.m4a")
    #expect(try await self.entry(entry.id, in: library).photos == nil)
    try await library.expectSound()
  }

  @Test("are erased with everything, and with their journal")
  func erase() async throws {
    let (library, _) = try await library()
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    let erased = try await library.holdfast("erase", "--everything", "--yes", uuid)
    #expect(erased.status == 0, "\(erased.errorOutput)")
    #expect(try await library.find("-name", "photo_*").isEmpty)
    try await library.expectSound()
    let (second, _) = try await self.library("second")
    let disabled = try await second.holdfast("journal", "disable", "faith", "--erase", "--yes")
    #expect(disabled.status == 0, "\(disabled.errorOutput)")
    #expect(try await second.find("-name", "photo_*").isEmpty)
    try await second.expectSound()
  }

  @Test("are not made from a document alone")
  func document() async throws {
    let (library, entry) = try await library()
    let document = temporary("export.json")
    let exported = try await library.holdfast(
      "export", "--format", "json", "--output", document)
    #expect(exported.status == 0, "\(exported.errorOutput)")
    let text = try String(contentsOfFile: document, encoding: .utf8)
    for photo in try #require(entry.photos) { #expect(text.contains(photo.fileSHA256)) }
    let other = try await LibraryFolder.withFaith("other")
    let result = try await other.holdfast("import-data", document)
    #expect(result.status == 3, "\(result.output)")
    #expect(try await self.entry(entry.id, in: other).photos == nil)
    try await other.expectSound()
  }

  @Test("of an app come with its folder, and go back to it; what cannot come stays as text")
  func app() async throws {
    let (app, id) = (temporary("app"), LibraryFolder.id(1))
    try FileManager.default.createDirectory(
      atPath: "\(app)/pictures", withIntermediateDirectories: true)
    for (name, to) in [("photo.jpg", "sea.jpg"), ("photo.heic", "sky.heic")] {
      try FileManager.default.copyItem(
        atPath: Fixtures.path(name), toPath: "\(app)/pictures/\(to)")
    }
    try Data(
      """
      {"journalEntries": [{"id": "\(id)", "title": "Sea", "content": "", "tags": [],
        "date": "2025-10-12T06:00:00Z", "isPrivate": false, "createdAt": "2025-10-12T06:00:00Z",
        "photoURLs": ["file:///var/mobile/A/Documents/pictures/sea.jpg", "pictures/sky.heic",
          "pictures/none.jpg"]}]}
      """.utf8
    ).write(to: URL(filePath: "\(app)/faith.json"))
    let library = try await LibraryFolder.withFaith()
    for _ in 1...2 {
      let result = try await library.holdfast("import-app", app)
      #expect(result.status == 3 && result.errorOutput.contains("HEIC"), "\(result.errorOutput)")
      let entry = try await entry(id, in: library)
      #expect(entry.photos?.count == 1)
      #expect(entry.photoURLs == ["pictures/sky.heic", "pictures/none.jpg"])
    }
    try await library.expectSound()
    let out = temporary("out")
    let exported = try await library.holdfast("export", "--format", "app", out)
    #expect(exported.status == 0, "\(exported.errorOutput)")
    let other = try await LibraryFolder.withFaith("other")
    _ = try await other.holdfast("import-app", out)
    let came = try #require(try await entry(id, in: other).photos?.first)
    let own = try #require(try await entry(id, in: library).photos?.first)
    #expect((came.id, came.fileSHA256) == (own.id, own.fileSHA256))
    try await other.expectSound()
  }
}
