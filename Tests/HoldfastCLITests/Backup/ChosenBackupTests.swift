import Foundation
import HoldfastTestSupport
import Testing

/// The named backup is used, or the reason is reported.
@Suite("Choosing a backup", .temporaryFolder)
struct ChosenBackupTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// Makes a backup of one recording and a backup of two. Returns their names.
  private func makeTwo() async throws -> [String] {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    try await Task.sleep(for: .seconds(1.1))
    try await library.importing("voice.wav")
    _ = try await library.holdfast("backup", backups.path)
    return try backups.names()
  }

  private func count(at name: String) async throws -> String {
    try await LibraryFolder(at: name).column("SELECT count(*) FROM recording")[0]
  }

  @Test("A backup can be chosen by its name, whatever its date")
  func named() async throws {
    let names = try await makeTwo()
    // The first is dated after the second, as on a slow disk.
    let first = "\(backups.path)/\(names[0])"
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cd "$0" && sed -i 's/^Holdfast-Moment: ..../Holdfast-Moment: 2019/' bag-info.txt &&
        sed -i "s/^[0-9a-f]*  bag-info.txt/$(sha256sum bag-info.txt)/" tagmanifest-sha256.txt
        """, first,
      ])
    let second = "\(names[1].prefix(17))Z-2"
    try FileManager.default.moveItem(
      atPath: "\(backups.path)/\(names[1])", toPath: "\(backups.path)/\(second)")
    for (name, recordings) in [(names[0], "1"), (second, "2")] {
      let target = temporary("restored-\(recordings)")
      let result = try await library.holdfast(
        "restore", backups.path, "--at", name, "--to", target)
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await count(at: "restored-\(recordings)") == recordings)
    }
    let other = try await library.holdfast(
      "restore", backups.path, "--at", "2020-01-01-000000Z", "--to", temporary("other"))
    #expect(other.status == 1)
    #expect(
      other.errorOutput.contains("there is no backup 2020-01-01-000000Z"), "\(other.errorOutput)")
  }

  @Test("An unreadable backup is named, and no older one is used in its place")
  func unreadable() async throws {
    let names = try await makeTwo()
    try Data().write(to: URL(filePath: "\(backups.path)/\(names[1])/bag-info.txt"))
    for choice in [["--at", names[1]], ["--at", "2099-12-31"], []] {
      let result = try await library.holdfast(
        ["restore", backups.path, "--to", temporary("restored")] + choice)
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("\(names[1]) is not usable"), "\(result.errorOutput)")
    }
    let other = LibraryFolder(at: "other")
    _ = try await other.holdfast("init")
    try await other.importing("hevc8.mp4")
    let merge = try await other.holdfast("merge", backups.path)
    #expect(merge.status != 0)
    #expect((merge.output + merge.errorOutput).contains("\(names[1]) is not usable"))
    let older = try await library.holdfast(
      "restore", backups.path, "--at", names[0], "--to", temporary("restored"))
    #expect(older.status == 0, "\(older.errorOutput)")
    #expect(try await count(at: "restored") == "1")
  }

  @Test("A backup with a changed description is restored only with --take-rest")
  func description() async throws {
    let bag = "\(backups.path)/\(try await makeTwo()[1])"
    let handle = try #require(FileHandle(forWritingAtPath: "\(bag)/bag-info.txt"))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("External-Description: mine\n".utf8))
    try handle.close()
    let restore = ["restore", bag, "--to", temporary("restored")]
    let refused = try await library.holdfast(restore)
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("bag-info.txt has changed"), "\(refused.errorOutput)")
    #expect(refused.errorOutput.contains("--take-rest"), "\(refused.errorOutput)")
    #expect(try await library.holdfast(restore + ["--take-rest"]).status == 0)
    try await LibraryFolder(at: "restored").expectSound()
  }

  @Test("A lost file is restored by the ID from before a merge, and by the one after it")
  func twin() async throws {
    try await library.importing("aac.m4a")
    let other = LibraryFolder(at: "other")
    _ = try await other.holdfast("init")
    try await other.importing("aac.m4a")
    _ = try await other.holdfast("backup", backups.path)
    let old = try await other.column("SELECT id FROM recording")[0]
    // The older row stays, so `other` gets another ID for its recording.
    #expect(try await other.holdfast("merge", library.path).status == 0)
    for id in [old, try await other.column("SELECT id FROM recording")[0]] {
      _ = try await Command.output(of: "bash", ["-c", "rm \"$0\"/Recordings/*.*", other.path])
      let result = try await other.holdfast("restore", backups.path, "--recording", id)
      #expect(result.status == 0, "\(result.errorOutput)")
      try await other.expectSound()
    }
  }

  @Test("Files in quarantine are backed up whatever their names, and the backup is valid")
  func oddNames() async throws {
    try await library.importing("aac.m4a")
    let names = [
      "100% day.txt", "a\\b", "line\nend", "end ", "\u{2028}", "=25%", "plain ü.txt",
      "100=25 day.txt", String(repeating: "é%", count: 80),
    ]
    for name in names {
      try Data(name.utf8).write(to: URL(filePath: "\(library.path)/Recordings/\(name)"))
    }
    _ = try await Command.output(
      of: "bash", ["-c", "printf x > \"$0/Recordings/\"$'\\xff\\xfe'", library.path])
    _ = try await library.holdfast("verify", "--repair")
    let result = try await library.holdfast("backup", backups.path)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    try await backups.expectValid(try backups.newest())
    let files = try await Command.output(
      of: "bash", ["-c", "cat \"$0\"/data/.quarantine/*/Recordings/* | wc -c", backups.newest()])
    #expect(
      files.lines == ["\(names.map(\.utf8.count).reduce(1, +))"])
    try await LibraryFolder.restored(from: backups.path, to: "restored").expectSound()
  }

  @Test("A dry run names missing files, and counts what a backup would copy")
  func dryRun() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    let plan = try await library.holdfast("backup", "--dry-run", "--json", backups.path)
    let made = try await library.holdfast("backup", "--json", backups.path)
    for key in ["\"copied\":2", "\"files\":5"] {
      #expect(
        plan.output.contains(key) && made.output.contains(key), "\(plan.output)\(made.output)")
    }
    try await library.importing("portrait.mov")
    _ = try await Command.output(of: "bash", ["-c", "rm \"$0\"/Recordings/*.m4a", library.path])
    let lost = try await library.holdfast("backup", "--dry-run", temporary("elsewhere"))
    #expect(lost.status == 3, "\(lost.output)")
    #expect(lost.errorOutput.components(separatedBy: "No such file").count == 3)
    let nowhere = try await library.holdfast("backup", "--dry-run", temporary("no/where"))
    #expect(nowhere.status == 1, "\(nowhere.output)")
  }
}
