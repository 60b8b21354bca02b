import Foundation
import HoldfastTestSupport
import Testing

/// Untrusted backups, and folders with other things than backups.
@Suite("Untrusted backups, and backups beside other things", .temporaryFolder)
struct HostileBackupTests {
  let library = LibraryFolder()
  let backups = Backups()

  private func backUp(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["backup", backups.path] + options)
  }

  private func restore() async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, ["restore", backups.path, "--to", temporary("restored")])
  }

  private func bash(_ script: String, in folder: String) async throws {
    _ = try await Command.output(of: "bash", ["-c", "cd \"$0\" && " + script, folder])
  }

  /// Adds a file to a backup and to its list, as any program can.
  private func add(_ content: String, as path: String, to bag: String) async throws {
    let file = "\(bag)/\(path)"
    try FileManager.default.createDirectory(
      atPath: URL(filePath: file).deletingLastPathComponent().path(percentEncoded: false),
      withIntermediateDirectories: true)
    try Data(content.utf8).write(to: URL(filePath: file))
    let line = try await sha256(of: file) + "  \(path)\n"
    let manifest = try FileHandle(forWritingTo: URL(filePath: bag + "/manifest-sha256.txt"))
    try manifest.seekToEnd()
    try manifest.write(contentsOf: Data(line.utf8))
    try manifest.close()
    try await bash(
      "sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt", in: bag)
  }

  @Test(
    "A foreign file is refused, because SQLite would apply a journal beside the catalog",
    arguments: [
      "data/catalog.sqlite-journal", "data/catalog.sqlite-wal", "data/.lock", "data/.git/hooks/x",
      "data/../\u{301}evil", "data/Recordings/../../x",
    ])
  func foreignFile(path: String) async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    try await add("evil", as: path, to: try backups.newest())
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary("")).sorted()
    let result = try await restore()
    #expect(result.status == 1, "\(result.output)")
    #expect(result.errorOutput.contains("damaged") || result.errorOutput.contains("no such file"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary("")).sorted() == names)
  }

  @Test("Backups can be verified and restored whatever the names of files in quarantine")
  func names() async throws {
    try await library.importing("aac.m4a")
    let strays = [
      "My notes\u{2028}part 2.mov", "caf\u{E9}.mov", "cafe\u{301}.mov", "\u{301}mark.mov",
      "50%0A.mov", "a\nb.mov", " blank.mov", "*star.mov",
    ]
    for (index, name) in strays.enumerated() {
      let isMade = FileManager.default.createFile(
        atPath: "\(library.path)/Recordings/\(name)", contents: Data("stray \(index)".utf8))
      #expect(isMade)
    }
    _ = try await library.holdfast("verify", "--repair")
    for _ in 1...2 {
      let result = try await backUp()
      #expect(result.status == 0, "\(result.errorOutput)")
    }
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 0, "\(verified.output)")
    #expect(try await restore().status == 0)
    let restored = LibraryFolder(at: "restored")
    let hashes = { (folder: LibraryFolder) in
      try await Command.output(
        of: "bash",
        [
          "-c",
          "cd \"$0\" && find .quarantine -type f -print0 "
            + "| xargs -0 sha256sum -z | cut -z -c1-64 | sort -z",
          folder.path,
        ]
      ).output
    }
    // A file whose name programs read differently gets another name.
    #expect(try await hashes(restored) == (try await hashes(library)))
  }

  @Test("Files that Holdfast did not make stay, and do not stop a backup")
  func otherThings() async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    for folder in [
      ".holdfast-removed/photos", "2020-01-01-000000Z.partial", "letters.partial", "locked",
    ] {
      try FileManager.default.createDirectory(
        atPath: "\(backups.path)/\(folder)", withIntermediateDirectories: true)
      try Data("mine".utf8).write(to: URL(filePath: "\(backups.path)/\(folder)/mine.txt"))
    }
    try await bash("mkfifo locked/bagit.txt && mkdir dir && mkdir dir/bagit.txt", in: backups.path)
    let result = try await backUp()
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.errorOutput.isEmpty)
    let mine = try await Command.output(of: "find", [backups.path, "-name", "mine.txt"])
    #expect(mine.output.split(separator: "\n").count == 4, "\(mine.output)")
    #expect(try await library.holdfast("backup", "verify", backups.path).status == 0)
  }

  @Test("Nothing is written into a backup")
  func intoBackup() async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    let bag = try backups.newest()
    let before = try await Find.snapshot(bag)
    let inside = LibraryFolder(at: "backups/\(try backups.names()[0])/data")
    for command in [
      ["craving", "log", "--intensity", "5"], ["message", "add", "x"], ["doctor", "--compact"],
    ] {
      let result = try await inside.holdfast(command)
      #expect(result.status == 1)
      #expect(
        result.errorOutput.contains("in a backup, which is never changed"), "\(result.errorOutput)")
    }
    #expect(try await inside.holdfast("list").status == 0)
    for place in [bag, bag + "/more", bag + "/data/more"] {
      let backup = try await library.holdfast("backup", place)
      #expect(backup.status == 1, "\(backup.output)")
      let dry = try await library.holdfast("backup", "--dry-run", place)
      #expect(dry.status == 1, "\(dry.output)")
      let restore = try await Command.run(
        Command.holdfast, ["restore", backups.path, "--to", place + "/new"])
      #expect(restore.status == 1, "\(restore.output)")
    }
    #expect(try await Find.snapshot(bag) == before)
  }

  @Test("A backup with absurd figures in its description is refused")
  func figures() async throws {
    try await library.importing("aac.m4a")
    for figures in ["9223372036854775807.9223372036854775807", "-1.-1"] {
      _ = try await backUp("--keep", "all")
      try await bash(
        "sed -i 's/^Payload-Oxum: .*/Payload-Oxum: \(figures)/' bag-info.txt", in: backups.newest())
    }
    let result = try await library.holdfast("backup", "verify", backups.path)
    #expect(result.status == 4)
    for name in try backups.names() {
      #expect((result.output + result.errorOutput).contains(name), "\(result.output)")
    }
    let target = temporary("restored")
    #expect(try await library.holdfast("restore", backups.path, "--to", target).status == 1)
    #expect(!FileManager.default.fileExists(atPath: target))
  }

  @Test("A restore that was interrupted is removed by the next one to the same place")
  func interruptedRestore() async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    let left = temporary(".restored.restoring")
    try FileManager.default.createDirectory(
      atPath: left + "/Recordings", withIntermediateDirectories: true)
    try Data("half".utf8).write(to: URL(filePath: left + "/Recordings/half.m4a"))
    try Data("mine".utf8).write(to: URL(filePath: left + "/mine.txt"))
    let refused = try await restore()
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains(".restored.restoring"), "\(refused.errorOutput)")
    try FileManager.default.removeItem(atPath: left + "/mine.txt")
    #expect(try await restore().status == 0)
    #expect(!FileManager.default.fileExists(atPath: left))
  }

  @Test(
    "A backup with a link, folder or FIFO in a file's place, or a bad list, is refused",
    arguments: [
      "ln -sf /etc/hostname $f", "rm $f && mkdir $f", "rm $f && mkfifo $f",
      "mv data/Recordings data/r && ln -s r data/Recordings",
      "cat manifest-sha256.txt manifest-sha256.txt > m && mv m manifest-sha256.txt",
      "printf '%064d  data/.quarantine/../../../evil\\n' 0 >> manifest-sha256.txt",
      "printf '%064d  /etc/passwd\\n' 0 >> manifest-sha256.txt",
    ])
  func places(script: String) async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    let id = try await library.column("SELECT id FROM recording")[0]
    let bag = try backups.newest()
    try await bash(
      "f=$(echo data/Recordings/*.m4a); \(script); "
        + "sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt", in: bag)
    let names = try FileManager.default.contentsOfDirectory(atPath: temporary("")).sorted()
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 4, "\(verified.output)")
    #expect(try await restore().status == 1)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: temporary("")).sorted() == names)
    // Restoring one recording is refused too, and the library stays as it was.
    _ = try await library.holdfast("delete", "--yes", id)
    let one = try await library.holdfast("restore", backups.path, "--recording", id)
    #expect([1, 3].contains(one.status), "\(one.output)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
    try await library.expectSound()
  }

  @Test("A folder that only resembles a backup's update stays; so does one whose backup is gone")
  func updates() async throws {
    try await library.importing("aac.m4a")
    _ = try await backUp()
    try await bash(
      """
      mkdir 2020-01-01-000000Z.update 2020-01-02-000000Z.update
      echo mine > 2020-01-01-000000Z.update/mine.txt
      printf 2020-01-03-000000Z > 2020-01-02-000000Z.update/plan
      """, in: backups.path)
    let result = try await backUp()
    #expect(result.status == 0, "\(result.errorOutput)")
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path)
    #expect(left.contains("2020-01-01-000000Z.update"))
    // The backup may have been renamed.
    #expect(left.contains("2020-01-02-000000Z.update"))
    #expect(try await library.holdfast("backup", "verify", backups.path).status == 0)
  }
}
