import Foundation
import HoldfastTestSupport
import Testing

@Suite("Restoring a backup", .temporaryFolder)
struct RestoreTests {
  let library = LibraryFolder()
  let backups = Backups()

  private func restore(_ options: String...) async throws -> CommandResult {
    try await Command.run(
      Command.holdfast, ["restore", backups.path, "--to", temporary("restored")] + options)
  }

  /// Everything in the test's folder except the restored library's name.
  private func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: temporary("")).sorted()
  }

  /// Ways to damage a backup's file, with verification's name for each.
  private static let faults: [(kind: String, script: String)] = [
    ("changed", "printf x | dd of=\"$0\" bs=1 seek=500 conv=notrunc status=none"),
    ("changed", "truncate -s -1 \"$0\""),
    ("missing", "rm \"$0\""),
    ("unknown", "mv \"$0\" \"$0.bak\""),
  ]

  @Test(
    "A damaged file is named by verify, stops a restore, and is left out with --take-rest",
    arguments: faults.indices)
  func spoilt(index: Int) async throws {
    let (kind, script) = Self.faults[index]
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    let bag = try backups.newest()
    let file = try #require(
      try await Command.output(of: "find", [bag, "-name", "*.m4a"]).output.split(separator: "\n")
        .first)
    _ = try await Command.output(of: "bash", ["-c", script, String(file)])
    let verified = try await Command.run(
      Command.holdfast, ["backup", "verify", backups.path, "--json"])
    #expect(verified.status == 4)
    let findings = try verified.jsonLines(of: Finding.self)
    #expect(findings.contains { $0.kind == kind }, "\(verified.output)")
    let name = URL(filePath: String(file)).lastPathComponent
    #expect(findings.allSatisfy { $0.path.contains(name) }, "\(verified.output)")
    let before = try names()
    let refused = try await restore()
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains(name), "\(refused.errorOutput)")
    #expect(refused.errorOutput.contains("--take-rest restores the rest"), "\(refused.errorOutput)")
    #expect(try names() == before)
    let rest = try await restore("--take-rest")
    #expect(rest.status == 3, "\(rest.errorOutput)")
    let restored = LibraryFolder(at: "restored")
    #expect(try await restored.findings().map(\.kind) == ["fileMissing"])
    #expect(try await restored.find("-name", "*.mov").count == 1)
  }

  @Test("A changed list is not trusted")
  func spoiltList() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    let manifest = try backups.newest() + "/manifest-sha256.txt"
    _ = try await Command.output(of: "sed", ["-i", "s/^./0/", manifest])
    let verified = try await Command.run(Command.holdfast, ["backup", "verify", backups.path])
    #expect(verified.status == 4)
    #expect(verified.output.contains("manifest-sha256.txt has changed"), "\(verified.output)")
    let refused = try await restore("--take-rest")
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("manifest-sha256.txt has changed"))
    #expect(!FileManager.default.fileExists(atPath: temporary("restored")))
    // The next backup does not share its files, and says so.
    let next = try await library.holdfast("backup", backups.path)
    #expect(next.status == 3)
    #expect(next.output.contains("1 file copied"), "\(next.output)")
    try await backups.expectValid(try backups.newest())
  }

  @Test("An existing library, or anything else, is never replaced; an empty folder is filled")
  func existing() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    let target = try makeFolder("restored", holding: ["notes.txt"])
    let refused = try await restore()
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("not an empty folder"), "\(refused.errorOutput)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: target) == ["notes.txt"])
    try FileManager.default.removeItem(atPath: target + "/notes.txt")
    #expect(try await restore().status == 0)
    try await LibraryFolder(at: "restored").expectSound()
  }

  @Test("--at chooses the newest backup that is not later")
  func moment() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    // As if the first one had been made long before.
    let first = try backups.newest()
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        cd "$0" && sed -i 's/^Holdfast-Moment: .*/Holdfast-Moment: 2025-05-05T11:00:00.000Z/' \
        bag-info.txt &&
        sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt
        """, first,
      ])
    try await library.importing("voice.wav")
    _ = try await library.holdfast("backup", backups.path, "--keep", "all")
    let none = try await restore("--at", "2025-05-04")
    #expect(none.status == 1)
    #expect(none.errorOutput.contains("the oldest backup is of 2025-05-05"), "\(none.errorOutput)")
    #expect(try await restore("--at", "2025-05-05").status == 0)
    #expect(
      try await LibraryFolder(at: "restored").column("SELECT count(*) FROM recording") == ["1"])
    #expect(try await restore("--at", "yesterday").status == 1)
  }

  @Test("A restore that is killed leaves no library, and the next one succeeds")
  func killed() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    var kills = 0
    let wanted = Extent.choose(sample: 3, whole: 50)
    for _ in 1...20 * wanted where kills < wanted {
      let result = try await Command.run(
        "timeout",
        [
          "-s", "KILL", "\(Double.random(in: 0.001...0.1))", try Command.holdfast, "restore",
          backups.path, "--to", temporary("restored"),
        ])
      if result.status == 0 {
        try FileManager.default.removeItem(atPath: temporary("restored"))
      } else {
        kills += 1
        // If it is killed at the very end, the library is complete.
        guard FileManager.default.fileExists(atPath: temporary("restored")) else { continue }
        try await LibraryFolder(at: "restored").expectSound()
        try FileManager.default.removeItem(atPath: temporary("restored"))
      }
    }
    #expect(kills == wanted)
    #expect(try await restore().status == 0)
    try await LibraryFolder(at: "restored").expectSound()
    try await backups.expectValid(try backups.newest())
  }
}
