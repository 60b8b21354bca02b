import Foundation
import HoldfastTestSupport
import Testing

/// An update of a backup cannot be undone once its plan is written. So obstacles are found before
/// that.
@Suite("An update of a backup with something in its way", .temporaryFolder)
struct UpdateObstacleTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// Runs `holdfast backup` where no file can have two names.
  private func backUp(_ injections: String...) async throws -> CommandResult {
    try await Command.run(
      "strace",
      ["-f", "-qq", "-o", temporary("trace"), "-e", "trace=all"]
        + (["inject=linkat:error=EPERM"] + injections).flatMap { ["-e", $0] }
        + [try Command.holdfast] + library.command(["backup", backups.path]))
  }

  /// Runs bash in the library's quarantine.
  @discardableResult
  private func bash(_ script: String, _ arguments: String...) async throws -> [String] {
    try await Command.output(
      of: "bash",
      [
        "-c", "set -e; mkdir -p \"$0\"; cd \"$0\"; \(script)",
        library.path + "/.quarantine/2026-11-20",
      ] + arguments
    ).lines
  }

  private func expectWhole(_ moment: String) async throws {
    try await backups.expectValid(backups.newest(), moment)
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path).sorted()
    #expect(left == [".lock"] + (try backups.names()), "\(moment): \(left)")
    #expect(try await bash("find \"$1\" -type d -empty", backups.newest()) == [], "\(moment)")
  }

  @Test("replaces a file with a folder, and a folder with a file")
  func kinds() async throws {
    try await library.importing("aac.m4a")
    try await bash("echo file > x")
    #expect(try await backUp().status == 0)
    for (script, name) in [
      ("rm x; mkdir -p x/y/z; echo inner > x/y/z/w", "x/y/z/w"), ("rm -r x; echo file > x", "x"),
      ("rm x; mkdir x; echo inner > x/y", "x/y"),
    ] {
      try await bash(script)
      let result = try await backUp()
      #expect(result.status == 0, "\(script): \(result.errorOutput)")
      try await expectWhole(script)
      let copy = try backups.newest() + "/data/.quarantine/2026-11-20/" + name
      #expect(FileManager.default.fileExists(atPath: copy))
    }
  }

  @Test(
    "goes on after a kill when files become folders, and the reverse",
    arguments: Extent.sample(Array(1...12), every: 6))
  func killed(number: Int) async throws {
    try await library.importing("aac.m4a")
    try await bash("mkdir x; echo inner > x/y; echo file > z")
    #expect(try await backUp().status == 0)
    try await bash("rm -r x; echo file > x; rm z; mkdir z; echo inner > z/y")
    let fault = number % 2 == 0 ? "unlinkat" : "renameat"
    let killed = try await backUp("inject=\(fault):signal=KILL:when=\((number + 1) / 2)")
    #expect(killed.status == 0 || killed.wasKilled, "\(killed.errorOutput)")
    #expect(try await library.holdfast("backup", "list", backups.path).status == 0)
    try await backups.expectValid(backups.newest())
    #expect(try await backUp().status == 0)
    try await expectWhole("\(number)")
  }

  @Test("is refused before it changes anything if a foreign file is in the way")
  func stranger() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp().status == 0)
    let bag = try backups.newest()
    let place = "\(bag)/data/.quarantine/2026-11-20"
    try await bash("mkdir -p \"$1/x\"; echo mine > \"$1/x/own\"; echo theirs > x", place)
    let result = try await backUp()
    #expect(result.status == 1, "\(result.output)")
    #expect(
      result.errorOutput.contains(
        "\(place)/x/own: not in the backup's list, and in the way of a new file; move it away"),
      "\(result.errorOutput)")
    #expect(try await library.holdfast("backup", "list", backups.path).status == 0)
    try await bash("cd \"$1\"; sha256sum --strict --quiet -c manifest-sha256.txt", bag)
    try await bash("mv \"$1/x/own\" ..", place)
    #expect(try await backUp().status == 0)
    try await expectWhole("moved away")
  }

  @Test("is refused before it changes anything if a folder of the backup cannot be written to")
  func readOnly() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp().status == 0)
    let bag = try backups.newest()
    try await library.importing("voice.wav")
    for number in 1...3 {
      let result = try await backUp("inject=faccessat2:error=EACCES:when=\(number)")
      #expect(result.status == 1, "\(result.output)")
      #expect(result.errorOutput.contains("could not write to"), "\(result.errorOutput)")
      #expect(try backups.newest() == bag)
      try await expectWhole("\(number)")
    }
    #expect(try await backUp().status == 0)
    try await expectWhole("in the end")
  }
}
