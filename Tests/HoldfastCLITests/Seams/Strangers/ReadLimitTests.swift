import Foundation
import HoldfastTestSupport
import Testing

/// A sparse file can have any size on any disk.
@Suite("Files of 100 GiB where small ones are expected", .temporaryFolder)
struct ReadLimitTests {
  private static let size = "107374182400 bytes long; at most "

  private let library = LibraryFolder()
  private let backups = Backups()

  private func grow(_ path: String, to size: String = "100G") async throws {
    _ = try await Command.output(of: "truncate", ["-s", size, path])
  }

  private func expectRefusal(_ command: [String]) async throws {
    let result = try await Command.ended(command)
    #expect([1, 3, 4].contains(result.status), "\(command): \(result.output)")
    #expect(
      (result.output + result.errorOutput).contains(Self.size),
      "\(command): \(result.output)\(result.errorOutput)")
  }

  @Test(
    "A backup with one is refused with the figure",
    arguments: ["manifest-sha256.txt", "tagmanifest-sha256.txt"])
  func list(name: String) async throws {
    try await library.importing("aac.m4a")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    try await grow("\(try backups.newest())/\(name)")
    try await expectRefusal(["restore", backups.path, "--to", temporary("restored")])
    try await expectRefusal(["restore", backups.path, "--take-rest", "--to", temporary("restored")])
    try await expectRefusal(["backup", "verify", backups.path])
    let laptop = LibraryFolder("laptop")
    try await expectRefusal(laptop.command(["merge", backups.path]))
    try await expectRefusal(library.command(["backup", backups.path]))
    #expect(try backups.names().count == 2)
    try await backups.expectValid(try backups.newest())
  }

  @Test(
    "A file that describes a backup counts as damaged",
    arguments: ["bag-info.txt", "bagit.txt"])
  func description(name: String) async throws {
    try await library.importing("aac.m4a")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    try await grow("\(try backups.newest())/\(name)")
    let verified = try await Command.ended(["backup", "verify", backups.path])
    #expect(verified.status == 4 && verified.output.contains("damaged"), "\(verified.output)")
    #expect(try await library.holdfast("backup", backups.path).status == 3)
  }

  @Test(
    "A backup's file of more bytes than the backup has is not read",
    arguments: ["catalog.sqlite", "export.json", "holdfast.json", "Recordings"])
  func payload(name: String) async throws {
    try await library.importing("aac.m4a")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    let bag = try backups.newest()
    let file =
      name == "Recordings"
      ? try #require(try await library.column("SELECT filePath FROM recording").first) : name
    try await grow("\(bag)/data/\(file)")
    try await expectRefusal(["backup", "verify", backups.path])
    if name != "export.json" {
      try await expectRefusal(["restore", backups.path, "--to", temporary("restored")])
    }
  }

  @Test("A catalog is not opened")
  func catalog() async throws {
    let other = LibraryFolder("other")
    try await grow("\(other.path)/catalog.sqlite")
    try await expectRefusal(other.command(["list"]))
    try await expectRefusal(other.command(["verify"]))
    try await expectRefusal(library.command(["merge", other.path]))
    try await expectRefusal(library.command(["merge", "--dry-run", other.path]))
    try await expectRefusal(["restore", "--rebuild", other.path])
  }

  @Test("A row of 100 MB is refused")
  func row() async throws {
    let other = LibraryFolder("other")
    try await other.importing("aac.m4a")
    try await other.changeCatalog(
      "UPDATE recording SET conversion = printf('%.*c', 100000000, 'x')")
    let result = try await library.holdfast("merge", other.path)
    #expect(result.status == 1)
    #expect(
      result.errorOutput.contains("a row has more than 67108864 bytes"), "\(result.errorOutput)")
  }

  @Test("A recording's file and a thumbnail of another size are not read")
  func recordings() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let files = try await library.column(
      "SELECT filePath FROM recording WHERE type = 'audio' UNION ALL SELECT thumbnailPath "
        + "FROM recording WHERE type = 'video'")
    for file in files { try await grow("\(library.path)/\(file)") }
    let stray = "\(library.path)/Recordings/stray"
    try await grow(stray)
    let deep = try await Command.ended(library.command(["verify", "--deep", "--json"]))
    #expect(deep.status == 4)
    let kinds = try deep.jsonLines(of: Finding.self).map(\.kind)
    #expect(kinds.contains("wrongSize") && kinds.contains("unreadable"), "\(deep.output)")
    let backup = try await Command.ended(library.command(["backup", backups.path]))
    #expect(backup.status == 3 && backup.errorOutput.contains("not backed up"))
    let repaired = try await Command.ended(library.command(["verify", "--repair", "--json"]))
    let moved = try repaired.jsonLines(of: Finding.self).filter { $0.repaired == true }
    #expect(moved.contains { $0.path == "Recordings/stray" }, "\(repaired.output)")
    let thumbnails = "\(library.path)/Recordings/Thumbnails/*"
    #expect(try await library.find("-path", thumbnails, "-size", "+1M") == [])
  }

  @Test(
    "A thumbnail of another size, or with other bytes, is left out of a merge",
    arguments: [[], ["--take"]], ["truncate -s 100G", "truncate -s 0", "sed -i 1d"])
  func merged(options: [String], change: String) async throws {
    let other = LibraryFolder("other")
    try await other.importing("portrait.mov")
    let file = try await other.column("SELECT thumbnailPath FROM recording")[0]
    _ = try await Command.output(
      of: "bash", ["-c", "\(change) \"$0\" && chmod 600 \"$0\"", "\(other.path)/\(file)"])
    let result = try await Command.ended(library.command(["merge"] + options + [other.path]))
    #expect(result.status == 0, "\(result.errorOutput)")
    let output = result.output + result.errorOutput
    #expect(output.contains("1 thumbnail could not be copied"), "\(output)")
    #expect(try await library.find("-path", "*/Thumbnails/*") == [])
    #expect(try await library.holdfast("thumbnails", "--missing").status == 0)
    try await library.expectSound()
  }

  @Test("A list, a document or an answer of that size ends the command, and a source is refused")
  func input() async throws {
    let file = temporary("file")
    try await grow(file)
    let list = try await Command.ended(library.command(["import", "--files-from", file]))
    #expect(list.status == 1 && list.errorOutput.contains("empty lines"), "\(list.errorOutput)")
    try await expectRefusal(library.command(["import-data", file]))
    let holdfast = try Command.holdfast
    let erase = try await Command.run(
      "bash",
      ["-c", "\"$0\" erase --everything --library \"$1\" < /dev/zero", holdfast, library.path])
    #expect(erase.status == 1, "\(erase.errorOutput)")
    #expect(erase.errorOutput.contains("the answer has more than 4096 bytes"))
    try Data(contentsOf: URL(filePath: Fixtures.path("portrait.mov"))).write(
      to: URL(filePath: file))
    try await grow(file, to: "2T")
    let source = try await Command.ended(library.command(["import", file]))
    #expect(source.status == 3)
    #expect(
      source.errorOutput.contains("2199023255552 bytes long; at most"), "\(source.errorOutput)")
  }
}
