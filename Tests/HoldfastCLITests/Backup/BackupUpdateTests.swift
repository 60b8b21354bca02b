import Foundation
import HoldfastTestSupport
import Testing

/// Some disks, such as those with exFAT, have no hard links. They have one backup, and each new one
/// updates it. strace simulates such a disk: it makes every link fail.
@Suite("Backups on disks without hard links", .temporaryFolder)
struct BackupUpdateTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// Runs `holdfast backup` where no file can have two names.
  private func backUp(_ injections: [String] = [], _ options: String...) async throws
    -> CommandResult
  {
    try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-e", "trace=all", "-e",
        "inject=linkat:error=EPERM",
      ] + injections.flatMap { ["-e", $0] }
        + [try Command.holdfast] + library.command(["backup", backups.path] + options))
  }

  private func bash(_ script: String) async throws {
    _ = try await Command.output(of: "bash", ["-c", "set -e; cd \"$0\"; \(script)", temporary("")])
  }

  @Test("Each backup updates the only one: it adds new files, and removes deleted ones")
  func update() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    #expect(try await backUp().status == 0)
    let first = try backups.newest()
    let id = try await library.column("SELECT id FROM recording WHERE type = 'video'")[0]
    _ = try await library.holdfast("delete", "--yes", id)
    try await library.importing("voice.wav")
    let result = try await backUp(["inject=renameat:delay_exit=1"], "--keep", "all")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 file copied"), "\(result.output)")
    #expect(try backups.names().count == 1)
    #expect(try backups.newest() != first)
    try await backups.expectValid(backups.newest())
    #expect(try backups.export(in: backups.newest()) == (try await library.export()))
    let restored = try await LibraryFolder.restored(from: backups.path, to: "restored")
    try await restored.expectSound()
    #expect(try await restored.export() == (try await library.export()))
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
    #expect(left == [".lock"] + (try backups.names()))
  }

  @Test("Any command finishes an update whose plan is written, and a dry run changes nothing")
  func plan() async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    try await library.importing("voice.wav")
    // Killed after its plan was written, with a file in the bag already.
    let killed = try await backUp(["inject=renameat:signal=KILL:when=3"])
    #expect(killed.status == 128 + 9)
    let update = try await Command.output(
      of: "find", [backups.path, "-name", "plan"])
    try #require(!update.output.isEmpty)
    // Another program may put a file of its own there.
    try await bash("echo own > \"$(echo backups/*.update)/.DS_Store\"")
    let dry = try await library.holdfast("backup", "--dry-run", backups.path)
    #expect(dry.status == 1)
    #expect(dry.errorOutput.contains("the next holdfast backup finishes"), "\(dry.errorOutput)")
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 0, "\(verified.output)\(verified.errorOutput)")
    #expect(verified.errorOutput.contains("Finished an interrupted update"))
    try await bash("test \"$(cat backups/*.update/.DS_Store)\" = own")
    #expect(try backups.export(in: backups.newest()) == (try await library.export()))
  }

  @Test(
    "If undoing or tidying an update is killed too, the next command continues it",
    arguments: Extent.sample(
      ["syncfs:signal=KILL:when=1", "renameat:signal=KILL:when=3"], every: 6))
  func killedTwice(fault: String) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await backUp()
    try await library.importing("voice.wav")
    try await bash("cp -a backups before")
    for number in Extent.sample(Array(1...8), every: 4) {
      try await bash("rm -rf backups; cp -a before backups")
      #expect(try await backUp(["inject=\(fault)"]).wasKilled)
      let killed = try await Command.run(
        "strace",
        [
          "-f", "-qq", "-o", temporary("trace"), "-e", "trace=all", "-e",
          "inject=unlinkat:signal=KILL:when=\(number)", try Command.holdfast,
        ] + library.command(["backup", "list", backups.path]))
      #expect(killed.status == 0 || killed.wasKilled, "\(number): \(killed.errorOutput)")
      let next = try await backUp()
      #expect(next.status == 0, "\(number): \(next.errorOutput)")
      try await backups.expectValid(backups.newest(), "\(number)")
      let left = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
      #expect(left == [".lock"] + (try backups.names()), "\(number): \(left)")
    }
  }

  @Test("--link shares the library's own files, and is refused where links are impossible")
  func link() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let result = try await library.holdfast("backup", "--link", backups.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.contains("if the disk fails, both are lost"))
    let shared = try await Command.output(
      of: "find", [backups.path, "-path", "*/Recordings/*", "-type", "f", "-links", "2"])
    #expect(shared.lines.count == 3, "\(shared.output)")
    let catalog = try await Command.output(
      of: "find", [backups.path, "-name", "catalog.sqlite", "-links", "1"])
    #expect(catalog.lines.count == 1)
    // No change to the library changes the backup.
    _ = try await library.holdfast("thumbnails", "--all", "--size", "48")
    _ = try await library.holdfast(
      "delete", "--yes", library.column("SELECT id FROM recording WHERE type = 'audio'")[0])
    try await backups.expectValid(backups.newest())
    _ = try await library.holdfast(
      "erase", "--everything", "--yes", library.column("SELECT uuid FROM library")[0])
    try await backups.expectValid(backups.newest())
    let noLinks = try await backUp([], "--link")
    #expect(noLinks.status == 1)
    #expect(noLinks.errorOutput.contains("no hard links"), "\(noLinks.errorOutput)")
  }

  @Test("A damaged file is not linked into a backup")
  func damagedLink() async throws {
    try await library.importing("aac.m4a")
    try await bash(
      "printf x | dd of=$(echo library/Recordings/*.m4a) bs=1 seek=500 conv=notrunc status=none")
    let result = try await library.holdfast("backup", "--link", backups.path)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("it is damaged"), "\(result.errorOutput)")
    try await backups.expectValid(backups.newest())
  }
}
