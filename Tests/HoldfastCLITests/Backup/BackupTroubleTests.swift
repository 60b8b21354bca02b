import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// Faults that backups had.
@Suite("Backups in unusual places and at unusual times", .temporaryFolder)
struct BackupTroubleTests {
  let library = LibraryFolder()
  let backups = Backups()

  private func restore(_ options: String...) async throws -> LibraryFolder {
    let name = UUID().uuidString
    let result = try await Command.run(
      Command.holdfast, ["restore", backups.path, "--to", temporary(name)] + options)
    #expect(result.status == 0, "\(result.errorOutput)")
    return LibraryFolder(at: name)
  }

  @Test(
    "A library on a full disk, or on one that cannot be written, is backed up",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    })
  func fullDisk() async throws {
    let mount = try makeFolder("disk")
    let script = """
      set -e
      mount -t tmpfs -o size=24m none "$1"
      "$0" init "$1/library" >/dev/null 2>&1
      "$0" import --library "$1/library" "$2" "$3" >/dev/null 2>&1
      head -c 60000000 /dev/zero > "$1/filler" 2>/dev/null || true
      "$0" backup --library "$1/library" "$4" || exit 91
      mount -o remount,ro "$1"
      "$0" backup --library "$1/library" "$4" || exit 92
      """
    let result = try await Command.run(
      "unshare",
      [
        "-Urm", "bash", "-c", script, try Command.holdfast, mount, Fixtures.path("aac.m4a"),
        Fixtures.path("portrait.mov"), backups.path,
      ])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try backups.names().count == 2)
    for name in try backups.names() { try await backups.expectValid("\(backups.path)/\(name)") }
    let restored = try await restore()
    try await restored.expectSound()
    #expect(try await restored.column("SELECT count(*) FROM recording") == ["2"])
  }

  @Test(
    "A row with an impossible value does not stop the rest of a backup",
    arguments: [
      "filePath = 'Recordings/' || substr(hex(zeroblob(200)), 1, 300)",
      "filePath = (SELECT filePath FROM recording WHERE type = 'video') || '/x'",
      "filePath = 'Recordings/d//e.m4a'", "filePath = 'Recordings/a' || char(10) || 'b.m4a'",
    ] + BrokenRow.all.map(\.testDescription))
  func impossibleRow(change: String) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let hash = try await library.column("SELECT fileSHA256 FROM recording WHERE type = 'video'")[0]
    try await library.changeCatalog(
      "PRAGMA ignore_check_constraints = ON; UPDATE recording SET \(change) WHERE type = 'audio'")
    for _ in 1...2 {
      let result = try await library.holdfast("backup", backups.path)
      // Some of them are still readable.
      #expect([0, 3].contains(result.status), "\(result.errorOutput)")
      let bag = try backups.newest()
      try await backups.expectValid(bag)
      let list = try String(contentsOfFile: bag + "/manifest-sha256.txt", encoding: .utf8)
      #expect(list.contains("\(hash)  data/Recordings/video_"))
      try await Task.sleep(for: .seconds(1.1))
    }
  }

  @Test("The files in an unreadable folder are left out, and the rest is backed up")
  func unreadableFolder() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let folder = library.path + "/Recordings/Thumbnails"
    let files = FileManager.default
    try files.setAttributes([.posixPermissions: 0o000], ofItemAtPath: folder)
    // Root may read everything, unless it gives up its capabilities.
    let arguments = [try Command.holdfast] + library.command(["backup", backups.path])
    let result =
      geteuid() == 0
      ? try await Command.run("setpriv", ["--bounding-set=-all", "--inh-caps=-all"] + arguments)
      : try await Command.run("env", arguments)
    try files.setAttributes([.posixPermissions: 0o700], ofItemAtPath: folder)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("_thumb.jpg"), "\(result.errorOutput)")
    try await backups.expectValid(backups.newest())
    let restored = try await Command.output(
      of: "find", [try backups.newest() + "/data/Recordings", "-name", "*.m??"]
    ).lines.filter { !$0.isEmpty }
    #expect(restored.count == 2, "\(restored)")
  }

  @Test(
    "On a full disk, a deletion makes room by removing files that can be made again",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    }, arguments: [0, 8192, 32_768])
  func deletionOnFullDisk(room: Int) async throws {
    let mount = try makeFolder("disk")
    let script = """
      set -e
      mount -t tmpfs -o size=24m none "$1"
      "$0" init "$1/library" >/dev/null 2>&1
      "$0" import --library "$1/library" "$2" >/dev/null 2>&1
      mkdir -p -m 700 "$1/library/.cache"
      head -c 1000000 /dev/zero > "$1/library/.cache/00000000-0000-4000-8000-000000000000-0.mov"
      head -c 60000000 /dev/zero > "$1/filler" 2>/dev/null || true
      [ \(room) = 0 ] || truncate -s -\(room) "$1/filler"
      "$0" verify --deep --library "$1/library" || exit 93
      "$0" delete --library "$1/library" --yes --all 2>/dev/null || \
        "$0" delete --library "$1/library" --yes \
          "$("$0" list --library "$1/library" --json | grep -o '"id":"[^"]*' | cut -c7-14)"
      [ -z "$(find "$1/library/Recordings" -type f)" ]
      """
    let result = try await Command.run(
      "unshare",
      ["-Urm", "bash", "-c", script, try Command.holdfast, mount, Fixtures.path("aac.m4a")])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
  }

  @Test("doctor --privacy reports a killed backup's files in staging until they are removed")
  func pins() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let killed = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-e", "trace=linkat", "-e",
        "inject=linkat:signal=KILL:when=4", try Command.holdfast,
      ] + library.command(["backup", backups.path]))
    #expect(killed.wasKilled)
    try #require(!(try await library.find("-path", "*/.staging/*/file-*").isEmpty))
    let found = try await library.holdfast("doctor", "--privacy", "--json")
    #expect(found.status == 4)
    #expect(try found.jsonLines(of: Finding.self).contains { $0.kind == "staleStaging" })
    _ = try await library.holdfast("craving", "log", "--intensity", "1")
    #expect(try await library.holdfast("doctor", "--privacy").status == 0)
  }

  @Test("In a working folder that was removed, a relative path is refused with that reason")
  func removedFolder() async throws {
    let folder = try makeFolder("gone")
    let result = try await Command.run(
      "bash",
      [
        "-c", "cd \"$0\" && rmdir \"$0\" && exec \"$1\" list --library lib", folder,
        try Command.holdfast,
      ])
    #expect(result.status == 1)
    #expect(
      result.errorOutput.contains("the folder in which this command runs was removed"),
      "\(result.errorOutput)")
  }

  @Test("A backup that a wrong clock dated in the future is never the newest")
  func future() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    try await backups.setMoment("2099-01-01T00:00:00.000Z", of: backups.newest())
    let wrong = try backups.newest()
    try await library.importing("voice.wav")
    _ = try await library.holdfast("backup", backups.path, "--keep", "all")
    #expect(try await restore().column("SELECT count(*) FROM recording") == ["2"])
    #expect(FileManager.default.fileExists(atPath: wrong))
    _ = try await library.holdfast("backup", backups.path, "--keep", "1")
    #expect(!FileManager.default.fileExists(atPath: wrong))
  }

  @Test("--at covers the whole minute that the list shows, and accepts the name of a backup")
  func minute() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    try await backups.setMoment("2025-05-05T12:00:30.500Z", of: backups.newest())
    let name = try #require(try backups.names().last)
    try await library.importing("voice.wav")
    _ = try await library.holdfast("backup", backups.path, "--keep", "all")
    let environment = { (at: String) in
      try await Command.run(
        "env",
        [
          "TZ=UTC", try Command.holdfast, "restore", backups.path, "--to",
          temporary(UUID().uuidString), "--at", at,
        ])
    }
    for at in ["2025-05-05 12:00", name] {
      let result = try await environment(at)
      #expect(result.status == 0, "\(at): \(result.errorOutput)")
      #expect(result.output.contains("1 recording as of"), "\(result.output)")
    }
    #expect(try await environment("2025-05-05 11:59").status == 1)
    #expect(try await environment("2025-05-05-120029Z").status == 1)
  }

  @Test("No error names the hidden folder of a backup that is being written")
  func hiddenNames() async throws {
    try await library.importing("aac.m4a")
    for call in ["syncfs", "renameat2"] {
      let result = try await Command.run(
        "strace",
        [
          "-f", "-qq", "-o", temporary("trace"), "-e", "trace=\(call)", "-e",
          "inject=\(call):error=EIO", try Command.holdfast,
        ] + library.command(["backup", backups.path]))
      #expect(result.status == 1, "\(call)")
      #expect(!result.errorOutput.contains(".partial"), "\(result.errorOutput)")
      #expect(result.errorOutput.contains(backups.path), "\(result.errorOutput)")
    }
  }

  @Test("The source of a recording whose file is lost does not count as imported already")
  func lostRecording() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    let lost = try await library.column(
      "SELECT filePath FROM recording WHERE originalFilename = 'aac.m4a'")[0]
    try FileManager.default.removeItem(atPath: "\(library.path)/\(lost)")
    let source = Fixtures.path("aac.m4a")
    let result = try await library.holdfast("import", source)
    #expect(result.status == 3)
    #expect(result.errorOutput.contains("whose file is missing"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("verify --repair --from \(source)"))
    #expect(try await library.holdfast("verify", "--repair", "--from", source).status == 0)
    try await library.expectSound()
    #expect(try await library.holdfast("import", source).status == 0)
  }
}
