import Foundation
import HoldfastTestSupport
import Testing

@Suite("Backups", .temporaryFolder)
struct BackupTests {
  let library = LibraryFolder()
  let backups = Backups()

  @discardableResult
  private func backUp(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["backup", backups.path] + options)
  }

  @Test("A backup has everything, is valid to other programs, and restores to the same library")
  func whole() async throws {
    try await library.importing("portrait.mov", "aac.m4a", options: ["--title", "Why I stopped"])
    try await library.holdfast("craving", "log", "--intensity", "7", "--notes", "after lunch")
    let result = try await backUp()
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("2 recordings; 3 files copied"), "\(result.output)")
    let bag = try backups.newest()
    try await backups.expectValid(bag)
    let info = try String(contentsOfFile: bag + "/bag-info.txt", encoding: .utf8)
    let uuid = try await library.column("SELECT uuid FROM library")[0]
    #expect(info.contains("Holdfast-Library: \(uuid)\n"))
    #expect(info.contains("Holdfast-Recordings: 2\n"))
    let export = try backups.export(in: bag)
    #expect(export == (try await library.export()))
    let modes = try await Command.output(
      of: "find",
      [bag, "(", "-type", "d", "!", "-perm", "700", ")", "-o", "-type", "f", "!", "-perm", "600"])
    #expect(modes.output.isEmpty, "\(modes.output)")
    let restored = try await LibraryFolder.restored(from: backups.path, to: "restored")
    try await restored.expectSound()
    #expect(try await restored.export() == export)
    #expect(try await restored.holdfast("verify", "--deep").status == 0)
    #expect(try await library.find("-path", "*/.staging/*") == [])
  }

  @Test("The next backup copies what is new, and shares the rest with the last one")
  func next() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await backUp()
    let first = try backups.newest()
    try await library.importing("hevc8.mp4")
    let trace = temporary("trace")
    let result = try await Command.run(
      "strace",
      ["-f", "-o", trace, "-e", "trace=openat,openat2", try Command.holdfast]
        + library.command(["backup", backups.path]))
    #expect(result.output.contains("3 recordings; 2 files copied"), "\(result.output)")
    // The first backup's files are read neither in the backup nor in the library.
    let names = try await Command.output(of: "find", [first + "/data/Recordings", "-type", "f"])
      .output.split(separator: "\n").map { URL(filePath: String($0)).lastPathComponent }
    #expect(names.count == 3)
    let opened = try String(contentsOfFile: trace, encoding: .utf8).split(separator: "\n")
      .filter { line in names.contains { line.contains($0) } && !line.contains("O_PATH") }
    #expect(opened.isEmpty, "\(opened)")
    for bag in try backups.names() { try await backups.expectValid("\(backups.path)/\(bag)") }
    // A deleted recording stays in the backups that have it.
    let id = try await library.column("SELECT id FROM recording WHERE type = 'audio'")[0]
    _ = try await library.holdfast("delete", "--yes", id)
    let again = try await backUp()
    #expect(again.output.contains("2 recordings; 0 files copied"), "\(again.output)")
    let old = try await LibraryFolder.restored(from: first, to: "old")
    #expect(try await old.column("SELECT id FROM recording").contains(id))
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 0)
    #expect(verified.errorOutput == "3 backups read whole: nothing found.\n")
  }

  @Test("A damaged or missing file is named and left out, and older backups stay")
  func damagedFile() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    let sounds = try await library.find("-name", "*.m4a")
    try FileManager.default.removeItem(atPath: "\(library.path)/\(sounds[0])")
    _ = try await Command.output(
      of: "bash",
      [
        "-c", "printf x | dd of=\"$0\" bs=1 seek=900 conv=notrunc status=none",
        "\(library.path)/\(sounds[1])",
      ])
    let result = try await backUp("--keep", "1")
    #expect(result.status == 3)
    for sound in sounds { #expect(result.errorOutput.contains(sound), "\(result.errorOutput)") }
    #expect(result.errorOutput.contains("its bytes are not those that the catalog names"))
    let bag = try backups.newest()
    try await backups.expectValid(bag)
    #expect(
      try String(contentsOfFile: bag + "/bag-info.txt", encoding: .utf8).contains("Missing: 2"))
    #expect(try await backUp("--keep", "1").status == 3)
    #expect(try backups.names().count == 2)
    let restored = try await Command.run(
      Command.holdfast, ["restore", backups.path, "--to", temporary("restored")])
    // The existing files are restored, and verification names the missing ones.
    #expect(restored.status == 3)
    #expect(
      try await LibraryFolder(at: "restored").findings().map(\.kind) == [
        "fileMissing", "fileMissing",
      ])
  }

  @Test("--keep removes the oldest backups, and only whole ones of this library")
  func keep() async throws {
    try await library.importing("aac.m4a")
    for _ in 1...3 { try await backUp("--keep", "all") }
    #expect(try backups.names().count == 3)
    let other = backups.path + "/letters"
    try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: false)
    let last = try backups.names().last
    let result = try await backUp("--keep", "2")
    #expect(result.output.split(separator: "\n").filter { $0.hasPrefix("removed") }.count == 2)
    #expect(try backups.names().count == 3)
    #expect(try backups.names().contains(try #require(last)))
    #expect(FileManager.default.fileExists(atPath: other))
  }

  @Test("A backup is refused in a place that may not hold one, and nothing is written")
  func refusedPlaces() async throws {
    try await library.importing("aac.m4a")
    try await backUp()
    let other = LibraryFolder("other")
    let foreign = try await other.holdfast("backup", backups.path)
    #expect(foreign.status == 1)
    #expect(foreign.errorOutput.contains("has backups of another library; name another folder"))
    #expect(try backups.names().count == 1)
    let inside = try await library.holdfast("backup", library.path + "/backups")
    #expect(inside.errorOutput.contains("is inside a Holdfast library"), "\(inside.errorOutput)")
    let parent = try await library.holdfast("backup", temporary("usb/backups"))
    #expect(parent.errorOutput.contains("the folder does not exist"), "\(parent.errorOutput)")
    #expect([inside.status, parent.status] == [1, 1])
  }

  @Test("The leftovers of an interrupted backup are removed, and do not count as a backup")
  func leftovers() async throws {
    try await library.importing("portrait.mov")
    try await backUp()
    let left = backups.path + "/2026-01-01-000000Z.partial"
    _ = try await Command.output(of: "cp", ["-a", try backups.newest(), left])
    let list = try await library.holdfast("backup", "list", backups.path)
    #expect(list.output.split(separator: "\n").count == 2, "\(list.output)")
    let result = try await backUp()
    #expect(result.errorOutput == "Removed what an interrupted backup had left.\n")
    #expect(!FileManager.default.fileExists(atPath: left))
    #expect(try backups.names().count == 2)
  }

  @Test("A dry run writes nothing, and says what would be copied")
  func dryRun() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let before = try await Find.snapshot(library.path)
    let result = try await backUp("--dry-run")
    #expect(result.output.contains("2 recordings; 3 files copied"), "\(result.output)")
    #expect(!FileManager.default.fileExists(atPath: backups.path))
    #expect(try await Find.snapshot(library.path) == before)
  }

  @Test("A backup that is killed leaves the last one whole, and the library as it was")
  func killed() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await backUp()
    let first = try backups.names()
    // Each backup has a file to copy.
    try await library.importing("hevc8.mp4")
    let rows = try await library.export()
    var kills = 0
    let wanted = Extent.choose(sample: 4, whole: 100)
    for _ in 1...20 * wanted where kills < wanted {
      let delay = Double.random(in: 0.001...0.1)
      let result = try await Command.run(
        "timeout",
        ["-s", "KILL", "\(delay)", try Command.holdfast]
          + library.command(["backup", backups.path, "--keep", "all"]))
      if result.status != 0 { kills += 1 }
      try await backups.expectValid("\(backups.path)/\(first[0])", "killed after \(delay) s")
      for name in try backups.names() where name != first[0] {
        try await backups.expectValid("\(backups.path)/\(name)", "killed after \(delay) s")
        try FileManager.default.removeItem(atPath: "\(backups.path)/\(name)")
      }
    }
    #expect(kills == wanted)
    #expect(try await backUp().status == 0)
    try await library.expectSound()
    #expect(try await library.export() == rows)
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path)
    #expect(!left.contains { $0.hasSuffix(".partial") || $0 == ".removed" }, "\(left)")
  }
}
