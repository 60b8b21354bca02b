import Foundation
import HoldfastTestSupport
import Testing

@Suite("Repair", .temporaryFolder)
struct RepairTests {
  let library = LibraryFolder()

  private func bash(_ script: String, _ arguments: String...) async throws {
    _ = try await Command.output(
      of: "bash", ["-ec", "umask 077; \(script)", "bash"] + arguments,
      workingDirectory: library.path)
  }

  private func repair(_ options: String...) async throws -> (status: Int32, findings: [Finding]) {
    let result = try await library.holdfast(["verify", "--repair", "--json"] + options)
    #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
    return (result.status, try result.jsonLines(of: Finding.self))
  }

  @Test("Random faults are found, named correctly and repaired, and nothing is lost")
  func scattered() async throws {
    let script = Repository.root + "/scripts/scatter-faults"
    let result = try await Command.run(
      "env",
      [
        "HOLDFAST_PROGRAM=\(Command.holdfast)", script, Extent.choose(sample: "25", whole: "100"),
        "7",
      ])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("no row and no byte was lost"))
  }

  @Test("A recording is made again from its source; plays and links stay")
  func remade() async throws {
    // A copied recording, an encoded one, and the second part of a split one.
    try await library.importing("portrait.mov", "voice.wav")
    try await library.importing("len-121.m4a", options: ["--over-limit", "split"])
    try await library.holdfast("edit", try await id("portrait.mov"), "--title", "Day one")
    try await library.holdfast("play", try await id("portrait.mov"), "--count-only")
    try await library.holdfast(
      "craving", "log", "--intensity", "7", "--recording", try await id("portrait.mov"))
    let columns = "id, filePath, thumbnailPath, title, playCount, part, sourceSHA256"
    let before = try await library.sql("SELECT \(columns) FROM recording ORDER BY id")
    try await bash(
      "rm $(find Recordings -name '*.mov') $(find Recordings -name '*.m4a' | tail -n 2)")
    #expect(try await repair().status == 4)
    #expect(
      try await library.column("SELECT count(*) FROM recording WHERE fault = 'missing'") == ["3"])
    let shown = try await library.holdfast("show", try await id("portrait.mov"))
    #expect(shown.output.contains("missing, known since"))
    let (status, findings) = try await repair("--from", Repository.root + "/fixtures")
    #expect(status == 0)
    #expect(findings.map(\.kind) == ["fileMissing", "fileMissing", "fileMissing"])
    #expect(findings.allSatisfy { $0.repaired == true && $0.since != nil })
    #expect(try await library.sql("SELECT \(columns) FROM recording ORDER BY id") == before)
    #expect(try await library.column("SELECT count(*) FROM recording WHERE fault NOTNULL") == ["0"])
    #expect(
      try await library.column("SELECT recordingId FROM craving") == [
        id("portrait.mov", whole: true)
      ])
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    try await library.expectSound()
  }

  /// The ID of a source's recording, or of its first part.
  private func id(_ source: String, whole: Bool = false) async throws -> String {
    let ids = try await library.column(
      "SELECT id FROM recording WHERE originalFilename = '\(source)' ORDER BY part")
    return try #require(ids.first)
  }

  @Test("Files that recovery leaves alone are quarantined, where a repair finds their bytes")
  func leftAlone() async throws {
    try await library.importing("portrait.mov")
    try await bash(
      """
      file=$(echo Recordings/*.mov); id=${file#Recordings/video_}; folder=.trash/${id%.mov}
      mkdir -p $folder .staging; mv $file $folder/; head -c 1000 $folder/*.mov > $file
      echo letter > .staging/letter
      """)
    let (status, findings) = try await repair()
    #expect(status == 0, "\(findings)")
    #expect(findings.map(\.kind).sorted() == ["staleStaging", "staleTrash", "wrongSize"])
    #expect(findings.allSatisfy { $0.repaired == true })
    let kept = try await library.find("-path", "*/.quarantine/*", "-type", "f")
    #expect(kept.count == 3, "\(kept)")
    #expect(kept.contains { $0.hasSuffix("/.staging/letter") })
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    try await library.expectSound()
  }

  @Test("A file under a foreign name goes back to the recording that lacks it")
  func strayed() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await bash(
      "mv Recordings/audio_* Recordings/x.m4a; mv Recordings/video_* Recordings/Thumbnails/")
    let (status, findings) = try await repair()
    #expect(status == 0, "\(findings)")
    #expect(findings.count == 4)
    #expect(!FileManager.default.fileExists(atPath: library.path + "/.quarantine"))
    try await library.expectSound()
  }

  @Test("A row with a wrong file name gets its own back, and so does its file")
  func renamed() async throws {
    try await library.importing("portrait.mov")
    try await bash(
      """
      mv Recordings/video_* Recordings/other.mov
      sqlite3 catalog.sqlite "UPDATE recording SET filePath = 'Recordings/other.mov'"
      """)
    #expect(try await repair().status == 0)
    try await library.expectSound()
  }

  @Test("Rows with each other's file names get their own back")
  func exchanged() async throws {
    try await library.importing("portrait.mov", "hevc10.mov", "hevc8.mp4")
    let columns = "id, filePath, thumbnailPath, fileSHA256, thumbnailSHA256, fault"
    let before = try await library.sql("SELECT \(columns) FROM recording ORDER BY id")
    // In a circle, so that paths are unique at each moment.
    try await library.changeCatalog(
      """
      CREATE TEMP TABLE old AS SELECT id, filePath, thumbnailPath,
        row_number() OVER (ORDER BY id) AS n
      FROM recording;
      UPDATE recording SET filePath = 'Recordings/' || id;
      UPDATE recording SET (filePath, thumbnailPath) = (
        SELECT filePath, thumbnailPath FROM old
        WHERE n = (SELECT n FROM old AS own WHERE own.id = recording.id) % 3 + 1)
      """)
    let (status, findings) = try await repair()
    #expect(status == 0, "\(findings)")
    #expect(Set(findings.map(\.kind)) == ["wrongName"])
    #expect(try await library.sql("SELECT \(columns) FROM recording ORDER BY id") == before)
    #expect(!FileManager.default.fileExists(atPath: library.path + "/.quarantine"))
    #expect(try await library.findings().isEmpty)
    try await library.expectSound()
  }

  @Test("A recording not found in a backup is reported with what could not be read there")
  func unreadableBackup() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    try await bash("mkdir ../backup ../backup/locked; mv Recordings/*.m4a ../backup/locked/")
    let locked = temporary("backup/locked")
    let result = try await Command.run(
      "strace",
      ["-f", "-qq", "-o", "/dev/null", "-P", locked, "-e", "inject=openat:error=EACCES"]
        + [Command.holdfast]
        + library.command(["verify", "--repair", "--from", temporary("backup"), "--json"]))
    let finding = try #require(try result.jsonLines(of: Finding.self).first)
    #expect(
      finding.repair
        == "found neither in quarantine nor in the backups; some files could not be read: "
        + "\(locked): could not list: Permission denied; check who owns it and what its "
        + "permissions "
        + "are")
    #expect(try await repair("--from", temporary("backup")).status == 0)
    try await library.expectSound()
  }

  @Test("Quarantined files are restored as they were, and replace nothing")
  func restored() async throws {
    try await library.importing("portrait.mov")
    try await bash(
      """
      echo one > Recordings/one; echo two > Recordings/Thumbnails/two
      mkdir Recordings/folder; echo three > Recordings/folder/three; ln -s nowhere Recordings/link
      id=$(sqlite3 catalog.sqlite "SELECT id FROM recording"); echo > Recordings/audio_$id.m4a
      """)
    let before = try await contents()
    let (status, findings) = try await repair()
    #expect(status == 0, "\(findings)")
    #expect(try await library.findings().isEmpty)
    let quarantine = try #require(
      try await library.find("-path", "*/.quarantine/*", "-prune", "-type", "d").first)
    let notes = try String(
      contentsOfFile: "\(library.path)/\(quarantine)/notes.txt", encoding: .utf8)
    for name in ["one", "Thumbnails/two", "folder", "link"] {
      #expect(notes.contains("Recordings/\(name): the catalog knew nothing about it\n"))
    }
    try await bash("echo other > Recordings/one")
    let first = try await library.holdfast("verify", "--restore", quarantine)
    #expect(first.status == 3)
    #expect(first.errorLines.count == 1, "\(first.errorOutput)")
    #expect(first.errorOutput.hasPrefix("Recordings/one: could not make: File exists"))
    try await bash("rm Recordings/one")
    #expect(try await library.holdfast("verify", "--restore", quarantine).status == 0)
    #expect(try await contents() == before)
    #expect(!FileManager.default.fileExists(atPath: "\(library.path)/\(quarantine)"))
    let gone = try await library.holdfast("verify", "--restore", quarantine)
    #expect((gone.status, gone.errorLines.count) == (1, 1))
  }

  /// The command reported nothing, as if everything had been restored.
  @Test("Files from outside Recordings stay in quarantine, and are reported")
  func notRestored() async throws {
    let work = ".trash/\(UUID()).0123456789abcdef"
    try await bash(
      "umask 077; mkdir -p .quarantine/old/\(work); echo one > .quarantine/old/\(work)/one")
    let result = try await library.holdfast("verify", "--restore", "old")
    #expect((result.status, result.output) == (3, ""))
    #expect(result.errorLines.count == 1, "\(result.errorOutput)")
    #expect(
      result.errorOutput
        == "\(work): left in quarantine, because only files from Recordings are put back; "
        + "holdfast verify --repair --from that folder looks in it for missing recordings\n")
    #expect(try await library.find("-name", "one") == [".quarantine/old/\(work)/one"])
  }

  /// The contents of `Recordings`: names, kinds, sizes, and the targets of links.
  private func contents() async throws -> String {
    try await Command.output(
      of: "bash", ["-c", "find Recordings -mindepth 1 -printf '%p %y %m %l\\n' | sort"],
      workingDirectory: library.path
    ).output
  }

  @Test("A known fault is reported each time, even if nothing is read")
  func toldEachTime() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await bash(
      "printf x | dd of=$(ls Recordings/*.m4a) bs=1 seek=3000 conv=notrunc status=none")
    #expect(try await repair().status == 4)
    // The clock was once wrong.
    try await library.changeCatalog("UPDATE recording SET verifiedAt = '2999-01-01 00:00:00.000'")
    for options in [[], ["--deep"], ["--deep", "--older-than", "30d"]] {
      let result = try await library.holdfast(["verify", "--json"] + options)
      #expect(result.status == 4)
      let findings = try result.jsonLines(of: Finding.self)
      #expect(findings.map(\.kind) == ["contentChanged"])
      #expect(findings.first?.since != nil)
    }
  }

  @Test("The same bytes of another recording, or of one in a hidden folder, bring a file back")
  func twins() async throws {
    try await library.importing("aac.m4a")
    try await library.importing("aac.m4a", options: ["--allow-duplicates"])
    try await library.importing("portrait.mov")
    try await bash(
      """
      mkdir -p ../backup/.local/share; cp -r . ../backup/.local/share/holdfast
      rm $(ls Recordings/*.m4a | head -n 1)
      """)
    #expect(try await repair().status == 0)
    try await library.expectSound()
    try await bash("rm Recordings/*.mov")
    #expect(try await repair("--from", temporary("backup")).status == 0)
    try await library.expectSound()
    let nowhere = try await library.holdfast("verify", "--repair", "--from", temporary("none"))
    #expect((nowhere.status, nowhere.errorLines.count) == (1, 1))
  }

  @Test("A repair that is killed while it replaces a file leaves the old file or the new one")
  func neverWithout() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await bash("cp -r . ../backup")
    try await bash(
      "printf x | dd of=$(ls Recordings/*.m4a) bs=1 seek=3000 conv=notrunc status=none")
    for call in ["linkat", "renameat", "renameat2", "unlinkat"] {
      for number in 1...3 {
        _ = try await Command.run(
          "strace",
          ["-f", "-qq", "-o", "/dev/null", "-e", "inject=\(call):signal=KILL:when=\(number)"]
            + [Command.holdfast]
            + library.command(["verify", "--repair", "--from", temporary("backup")]))
        #expect(try await library.find("-path", "*/Recordings/audio_*", "-size", "+0").count >= 1)
        let result = try await library.holdfast("verify")
        let kinds = Set(result.lines.map { String($0.prefix { $0 != ":" }) })
        #expect(kinds.isSubset(of: ["contentChanged", "staleStaging"]), "\(call) \(number)")
      }
    }
    #expect(try await repair("--from", temporary("backup")).status == 0)
    #expect(try await library.findings().isEmpty)
  }

  @Test("With a damaged catalog nothing is moved")
  func damagedCatalog() async throws {
    try await library.importing("portrait.mov")
    try await bash(
      """
      echo one > Recordings/one; rm Recordings/Thumbnails/*
      sqlite3 catalog.sqlite \
        "PRAGMA ignore_check_constraints = ON; UPDATE recording SET duration = 500"
      """)
    let before = try await Find.snapshot(library.path + "/Recordings")
    let (status, findings) = try await repair()
    #expect(status == 4)
    #expect(findings.allSatisfy { $0.repaired == false })
    #expect(findings.contains { $0.repair?.contains("while the catalog is damaged") == true })
    #expect(try await Find.snapshot(library.path + "/Recordings") == before)
  }

  @Test(
    "While the disk is missing, nothing is repaired",
    arguments: ["rm -r Recordings", "rm -r Recordings; mkdir Recordings"])
  func offline(script: String) async throws {
    try await library.importing("portrait.mov")
    try await bash(script)
    let before = try await Find.snapshot(library.path)
    let result = try await library.holdfast("verify", "--repair")
    #expect((result.status, result.errorLines.count) == (1, 1))
    #expect(result.errorOutput.contains("if their disk is not mounted, mount it"))
    #expect(try await Find.snapshot(library.path) == before)
  }
}
