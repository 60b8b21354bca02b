import Foundation
import HoldfastTestSupport
import Testing

@Suite("The data of a backup as a library", .temporaryFolder)
struct BackupDataTests {
  private let library = LibraryFolder()
  private let backups = Backups()

  /// Makes a backup, and returns the library in it.
  private func backedUp() async throws -> LibraryFolder {
    try await library.importing("aac.m4a", "portrait.mov")
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    return LibraryFolder(at: "backups/\(try #require(try backups.names().last))/data")
  }

  private func expectUnchanged(_ moment: String) async throws {
    let result = try await Command.run(Command.holdfast, ["backup", "verify", backups.path])
    #expect(result.status == 0, "\(moment): \(result.output)\(result.errorOutput)")
    try await backups.expectValid(try backups.newest(), moment)
  }

  @Test("Commands that are given it use the backup, and write nothing into it")
  func other() async throws {
    let data = try await backedUp()
    let laptop = LibraryFolder("laptop")
    let merged = try await laptop.holdfast("merge", data.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(merged.output.contains("recordings: 2 added"), "\(merged.output)")
    try await laptop.expectSound()
    try await expectUnchanged("merge")
    let taken = try await laptop.holdfast("merge", "--take", data.path)
    #expect(taken.status == 1 && taken.errorOutput.contains("no files are removed from a backup"))
    try await expectUnchanged("merge --take")
    try await LibraryFolder.restored(from: data.path, to: "restored").expectSound()
    let listed = try await Command.run(Command.holdfast, ["backup", "list", data.path])
    #expect(listed.output.contains(try #require(try backups.names().last)), "\(listed.errorOutput)")
    let file = try #require(try await library.column("SELECT filePath FROM recording").first)
    try FileManager.default.removeItem(atPath: "\(library.path)/\(file)")
    let repaired = try await library.holdfast("verify", "--repair", "--from", data.path)
    #expect(repaired.status == 0, "\(repaired.output)\(repaired.errorOutput)")
    try await library.expectSound()
    try await expectUnchanged("repair")
  }

  @Test("Commands that read show it, and those that write refuse it")
  func own() async throws {
    let data = try await backedUp()
    let id = try #require(try await library.column("SELECT id FROM recording").first)
    let readers = [
      ["list"], ["stats"], ["show", id], ["export", "--format", "json"], ["verify"],
      ["verify", "--deep"], ["message", "next"], ["backup", temporary("second")],
    ]
    for command in readers {
      let result = try await data.holdfast(command)
      #expect(result.status == 0, "\(command): \(result.output)\(result.errorOutput)")
      try await expectUnchanged("\(command)")
    }
    let writers = [
      ["import", Fixtures.path("adts.aac")], ["delete", "--yes", id], ["edit", id, "--title", "x"],
      ["craving", "log", "--intensity", "3"], ["journal", "enable", "food"],
      ["verify", "--repair"],
      ["thumbnails", "--missing"], ["doctor", "--compact"], ["doctor", "--shared-disk"],
    ]
    for command in writers {
      let result = try await data.holdfast(command)
      #expect(result.status == 1, "\(command): \(result.output)")
      #expect(result.errorOutput.contains("is in a backup"), "\(command): \(result.errorOutput)")
      try await expectUnchanged("\(command)")
    }
    let rebuilt = try await Command.run(Command.holdfast, ["restore", "--rebuild", data.path])
    #expect(rebuilt.status == 1 && rebuilt.errorOutput.contains("is in a backup"))
    try await expectUnchanged("rebuild")
    // The second backup is of the library in the first.
    try await LibraryFolder.restored(from: temporary("second"), to: "again").expectSound()
  }

  @Test("A journal beside its catalog is not rolled back", arguments: [false, true])
  func journal(isDamaged: Bool) async throws {
    let data = try await backedUp()
    if isDamaged {
      try FileManager.default.removeItem(atPath: "\(data.path)/../bagit.txt")
    }
    let journal = "\(data.path)/catalog.sqlite-journal"
    try Data(repeating: 7, count: 1024).write(to: URL(filePath: journal))
    for command in [data.command(["list"]), LibraryFolder("laptop").command(["merge", data.path])] {
      let result = try await Command.run(Command.holdfast, command)
      #expect(
        result.status == 1 && result.errorOutput.contains("journal that was not backed up"),
        "\(result.errorOutput)")
    }
    #expect(try Data(contentsOf: URL(filePath: journal)) == Data(repeating: 7, count: 1024))
  }

  @Test(
    "A backup with a damaged description can be merged, and stays as it is",
    arguments: [
      "rm bag-info.txt", ": > bag-info.txt", "rm bagit.txt", ": > bagit.txt",
      "rm bagit.txt bag-info.txt tagmanifest-sha256.txt",
    ])
  func damaged(script: String) async throws {
    let data = try await backedUp()
    let bag = URL(filePath: data.path).deletingLastPathComponent().path
    _ = try await Command.output(of: "bash", ["-c", "cd \"$0\" && \(script)", bag])
    let before = try await Find.snapshot(bag)
    let laptop = LibraryFolder("laptop")
    let taken = try await laptop.holdfast("merge", "--take", data.path)
    #expect(taken.status == 1 && taken.errorOutput.contains("no files are removed from a backup"))
    let refused = try await laptop.holdfast("merge", backups.path)
    #expect(
      refused.status == 1 && refused.errorOutput.contains("merge its folder data"),
      "\(refused.errorOutput)")
    let merged = try await laptop.holdfast("merge", data.path)
    #expect(merged.status == 0, "\(merged.errorOutput)")
    #expect(merged.output.contains("recordings: 2 added"), "\(merged.output)")
    try await laptop.expectSound()
    #expect(try await data.holdfast("craving", "log", "--intensity", "3").status == 1)
    let made = try await Command.run(Command.holdfast, ["init", "\(bag)/inner"])
    #expect(made.status == 1, "\(made.output)")
    #expect(try await Find.snapshot(bag) == before)
  }
}
