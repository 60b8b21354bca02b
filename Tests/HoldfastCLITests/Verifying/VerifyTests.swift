import Foundation
import HoldfastTestSupport
import Testing

@Suite("Verification", .temporaryFolder)
struct VerifyTests {
  let library = LibraryFolder()

  /// A fault in a library that no command caused.
  struct Damage: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Bash, run in the library's folder with a video's media file and thumbnail as arguments.
    var script: String
    /// The kinds that must be found, perhaps with others.
    var kinds: Set<String>
    /// Whether those are all.
    var isAll = true

    static let all = [
      Damage(testDescription: "file deleted", script: "rm $1", kinds: ["fileMissing"]),
      Damage(testDescription: "file truncated", script: "truncate -s -1 $1", kinds: ["wrongSize"]),
      Damage(testDescription: "file grown", script: "echo >>$1", kinds: ["wrongSize"]),
      Damage(testDescription: "file emptied", script: ": >$1", kinds: ["wrongSize"]),
      Damage(testDescription: "thumbnail deleted", script: "rm $2", kinds: ["thumbnailMissing"]),
      Damage(
        testDescription: "all files deleted", script: "rm -r Recordings",
        kinds: ["fileMissing", "thumbnailMissing"]),
      Damage(
        testDescription: "stray file", script: "echo x > Recordings/stray.mov",
        kinds: ["unknownFile"]),
      Damage(
        testDescription: "stray file with a recording's name",
        script: "cp $1 Recordings/video_$(cat /proc/sys/kernel/random/uuid).mov",
        kinds: ["unknownFile"]),
      Damage(
        testDescription: "stray thumbnail", script: "cp $2 Recordings/Thumbnails/x.jpg",
        kinds: ["unknownFile"]),
      Damage(
        testDescription: "stray folder", script: "mkdir Recordings/more", kinds: ["unknownFile"]),
      Damage(
        testDescription: "stray link", script: "ln -s /etc/passwd Recordings/x.mov",
        kinds: ["link"]),
      Damage(
        testDescription: "file that others may read", script: "chmod 640 $1", kinds: ["wrongMode"]),
      Damage(
        testDescription: "catalog that others may read", script: "chmod 604 catalog.sqlite",
        kinds: ["wrongMode"]),
      Damage(
        testDescription: "folders that others may enter",
        script: "chmod 711 . Recordings Recordings/Thumbnails .staging", kinds: ["wrongMode"]),
      Damage(
        testDescription: "row with another recording's name",
        script: """
          mv $1 Recordings/other.mov
          sqlite3 catalog.sqlite \
            "UPDATE recording SET filePath = 'Recordings/other.mov' WHERE type = 'video'"
          """,
        kinds: ["wrongName", "unknownFile"]),
      Damage(
        testDescription: "stale staging",
        script: "mkdir .staging/$(cat /proc/sys/kernel/random/uuid | tr a-z A-Z)",
        kinds: ["staleStaging"]),
      Damage(
        testDescription: "stale trash",
        script: "mkdir .trash/$(cat /proc/sys/kernel/random/uuid | tr a-z A-Z)",
        kinds: ["staleTrash"]),
      Damage(
        testDescription: "link in place of a file", script: "mv $1 ../x; ln -s ../../x $1",
        kinds: ["notAFile", "link"]),
      Damage(
        testDescription: "folder in place of a file", script: "rm $1; mkdir $1",
        kinds: ["notAFile", "unknownFile"]),
      Damage(
        testDescription: "FIFO in place of a file", script: "rm $1; mkfifo $1",
        kinds: ["notAFile", "unknownFile"]),
      Damage(
        testDescription: "link in place of Recordings",
        script: "mv Recordings ../elsewhere; ln -s ../elsewhere Recordings",
        kinds: ["notAFile", "unreadable", "link"]),
      Damage(
        testDescription: "row that leads out of the library",
        script: edit("UPDATE recording SET filePath = '../../etc/passwd' WHERE type = 'video'"),
        kinds: ["badPath", "catalogDamaged"], isAll: false),
      Damage(
        testDescription: "row with an absolute path",
        script: edit("UPDATE recording SET filePath = '/etc/passwd' WHERE type = 'video'"),
        kinds: ["badPath", "catalogDamaged"], isAll: false),
      Damage(
        testDescription: "row that breaks a rule",
        script: edit("UPDATE recording SET duration = 500 WHERE type = 'video'"),
        kinds: ["catalogDamaged"], isAll: false),
      Damage(
        testDescription: "row that cannot be read",
        script: edit("UPDATE recording SET id = 'x' WHERE type = 'video'"),
        kinds: ["catalogDamaged"], isAll: false),
      Damage(
        testDescription: "row deleted",
        script: """
          sqlite3 catalog.sqlite \\
            "PRAGMA foreign_keys = ON; DELETE FROM recording WHERE type = 'video'"
          """,
        kinds: ["unknownFile"]),
      Damage(
        testDescription: "catalog page overwritten",
        script: """
          page=$(sqlite3 catalog.sqlite \\
            "SELECT rootpage FROM sqlite_schema WHERE name = 'recording'")
          dd if=/dev/urandom of=catalog.sqlite bs=4096 seek=$((page - 1)) count=1 conv=notrunc
          """,
        kinds: ["catalogDamaged"], isAll: false),
      Damage(
        testDescription: "index page overwritten",
        script: """
          page=$(sqlite3 catalog.sqlite \\
            "SELECT rootpage FROM sqlite_schema WHERE name = 'recording_file'")
          dd if=/dev/zero of=catalog.sqlite bs=4096 seek=$((page - 1)) count=1 conv=notrunc
          """,
        kinds: ["catalogDamaged"], isAll: false),
    ]

    private static func edit(_ statement: String) -> String {
      "sqlite3 catalog.sqlite \"PRAGMA ignore_check_constraints = ON; \(statement)\""
    }
  }

  @Test(
    "All damage is found and named by its kind, and nothing is changed",
    arguments: Extent.sample(Damage.all, every: 3))
  func finds(damage: Damage) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let row = try #require(
      try await library.sql("SELECT filePath, thumbnailPath FROM recording WHERE type = 'video'")
        .first)
    _ = try await Command.output(
      of: "bash", ["-ec", "umask 077; \(damage.script)", "bash"] + row,
      workingDirectory: library.path)
    let before = try await Find.snapshot(TemporaryFolder.current)
    let result = try await library.holdfast("verify", "--json")
    #expect(result.status == 4, "\(result.errorOutput)")
    let kinds = Set(try result.jsonLines(of: Finding.self).map(\.kind))
    #expect(damage.isAll ? kinds == damage.kinds : kinds.isSuperset(of: damage.kinds))
    let text = try await library.holdfast("verify")
    #expect(text.status == 4)
    for kind in kinds { #expect(text.lines.contains { $0.hasPrefix("\(kind): ") }) }
    #expect(try text.lines.count == result.jsonLines(of: Finding.self).count)
    #expect(text.errorLines.count == 1)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
  }

  @Test("A sound library has no findings, and verification says what it checked")
  func sound() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let before = try await Find.snapshot(library.path)
    let result = try await library.holdfast("verify")
    #expect(result.status == 0)
    #expect(result.output.isEmpty)
    #expect(result.errorOutput == "2 recordings checked: nothing found.\n")
    let json = try await library.holdfast("verify", "--json")
    #expect((json.status, json.output, json.errorOutput) == (0, "", ""))
    #expect(try await Find.snapshot(library.path) == before)
  }

  @Test("A finding says in one line what is wrong with which recording")
  func lines() async throws {
    try await library.importing("portrait.mov")
    let row = try #require(
      try await library.sql("SELECT filePath, fileSize, substr(id, 1, 8) FROM recording").first)
    _ = try await Command.output(of: "truncate", ["-s", "7", "\(library.path)/\(row[0])"])
    let result = try await library.holdfast("verify")
    #expect(
      result.output == "wrongSize: \(row[0]) (recording \(row[2])): has 7 bytes instead of "
        + "\(row[1]); --repair would look for the right file in quarantine, and with --from in a "
        + "backup\n")
    #expect(result.errorOutput == "1 recording checked: 1 wrongSize.\n")
    let finding = try #require(try await library.findings().first)
    #expect(finding.repair == "look for the right file in quarantine, and with --from in a backup")
  }

  @Test("A backup is named only where it can help")
  func noBackupNeeded() async throws {
    try await library.importing("portrait.mov")
    let row = try #require(try await library.sql("SELECT thumbnailPath, id FROM recording").first)
    let thumbnail = "\(library.path)/\(row[0])"
    _ = try await Command.output(of: "sh", ["-c", "rm \(thumbnail); mkdir -m 700 \(thumbnail)"])
    let result = try await library.holdfast("verify")
    #expect(result.status == 4)
    #expect(result.output.contains("--repair would make it again"), "\(result.output)")
    #expect(!result.output.contains("--from"), "\(result.output)")
  }

  @Test("An unreadable row does not hide findings about the others")
  func goesOn() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    _ = try await Command.output(
      of: "bash",
      [
        "-ec",
        """
        umask 077; echo > Recordings/zzz
        sqlite3 catalog.sqlite "PRAGMA ignore_check_constraints = ON;
          UPDATE recording SET fileSHA256 = 'x' WHERE id = (SELECT min(id) FROM recording)"
        rm "$(sqlite3 catalog.sqlite 'SELECT filePath FROM recording ORDER BY id DESC LIMIT 1')"
        """,
      ], workingDirectory: library.path)
    let lost = try #require(
      try await library.column("SELECT filePath FROM recording ORDER BY id DESC LIMIT 1").first)
    let findings = try await library.findings().map { [$0.kind, $0.path] }
    #expect(findings.contains(["fileMissing", lost]))
    #expect(findings.contains(["unknownFile", "Recordings/zzz"]))
    #expect(findings.contains { $0[0] == "catalogDamaged" })
  }

  @Test("A catalog that cannot be opened at all is the command's failure, in one sentence")
  func unusableCatalog() async throws {
    try await library.importing("portrait.mov")
    for damage in ["truncate -s -4096 catalog.sqlite", "echo text > catalog.sqlite"] {
      _ = try await Command.output(of: "bash", ["-c", damage], workingDirectory: library.path)
      let result = try await library.holdfast("verify")
      #expect(result.status == 1)
      #expect(result.errorLines.count == 1)
      #expect(result.errorOutput.contains("restore the file from a backup"))
    }
  }

  @Test("Nothing is done with another library's catalog, or without one")
  func foreignCatalog() async throws {
    try await library.importing("aac.m4a")
    let other = LibraryFolder("other")
    try await other.importing("voice.wav")
    let catalog = "\(library.path)/catalog.sqlite"
    try FileManager.default.removeItem(atPath: catalog)
    for command in [["verify"], ["list"], ["import", Fixtures.path("voice.wav")]] {
      let result = try await library.holdfast(command)
      #expect(result.status == 1)
      #expect(result.errorLines.count == 1)
      #expect(!FileManager.default.fileExists(atPath: catalog))
    }
    try FileManager.default.copyItem(atPath: "\(other.path)/catalog.sqlite", toPath: catalog)
    let before = try await Find.snapshot("\(library.path)/Recordings")
    for command in [["verify"], ["list"], ["import", Fixtures.path("voice.wav")]] {
      let result = try await library.holdfast(command)
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("belongs to another library than holdfast.json"))
    }
    #expect(try await Find.snapshot("\(library.path)/Recordings") == before)
  }

  @Test("An entry whose notes are too long is named, with the command that corrects it")
  func brokenRule() async throws {
    _ = try await library.holdfast("craving", "log", "--intensity", "3", "--notes", "short")
    // SQL cannot count visible characters, so the schema accepts this.
    try await library.changeCatalog("UPDATE craving SET notes = printf('%.*c', 501, 'n')")
    let id = try #require(try await library.column("SELECT id FROM craving").first)
    let result = try await library.holdfast("verify")
    #expect(result.status == 4)
    #expect(
      result.output.contains(
        "brokenRule: catalog.sqlite: craving \(id): the notes have 501 characters; at most 500 are "
          + "allowed; correct it with holdfast craving edit \(id)\n"))
    let edited = try await library.holdfast("craving", "edit", id, "--notes", "short again")
    #expect(edited.status == 0, "\(edited.errorOutput)")
    #expect(try await library.findings().isEmpty)
  }
}
