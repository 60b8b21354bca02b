import Foundation
import HoldfastTestSupport
import Testing

@Suite("A damaged backup among others", .temporaryFolder)
struct DamagedBackupTests {
  let library = LibraryFolder()
  let backups = Backups()

  /// Makes two backups that share no file, and damages a recording in the newer one.
  ///
  /// - Parameter keepsTime: Whether the file keeps its old time, as if unchanged.
  private func damage(keepingTime keepsTime: Bool) async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    try await Task.sleep(for: .seconds(1.1))
    _ = try await library.holdfast("backup", backups.path)
    _ = try await Command.output(
      of: "bash",
      [
        "-c",
        """
        set -e; cd "$0"; mkdir apart; for bag in 20*; do cp -a "$bag" apart/; done
        rm -r 20*; mv apart/* .; rmdir apart
        file=$(echo "$(ls -d 20* | tail -1)"/data/Recordings/*.mov); touch -r "$file" time
        printf XX | dd of="$file" bs=1 seek=2000 conv=notrunc status=none
        [ -z "$1" ] || touch -r time "$file"; rm time
        """, backups.path, keepsTime ? "1" : "",
      ])
  }

  @Test("A file whose backup was written into is copied again, not shared with the next backup")
  func writtenInto() async throws {
    try await damage(keepingTime: false)
    let result = try await library.holdfast("backup", backups.path, "--keep", "1")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("1 file copied"), "\(result.output)")
    #expect(try backups.names().count == 1)
    try await backups.expectValid(try backups.newest())
  }

  @Test("Files with times that are centuries apart are compared by their bytes")
  func centuries() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await Command.output(
      of: "sh",
      [
        "-c",
        """
        touch -d 2200-01-01 "$0"/*/data/Recordings/*.m4a &&
        touch -d 1700-01-01 "$1"/Recordings/*.m4a
        """, backups.path, library.path,
      ])
    let result = try await library.holdfast("backup", backups.path, "--keep", "1")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.contains("0 files copied"), "\(result.output)")
    try await backups.expectValid(try backups.newest())
  }

  @Test("If --verify finds damage, no older backup is removed")
  func verified() async throws {
    try await damage(keepingTime: true)
    let first = try #require(try backups.names().first)
    let result = try await library.holdfast("backup", backups.path, "--verify", "--keep", "1")
    #expect(result.status == 4, "\(result.output)\(result.errorOutput)")
    #expect(try backups.names().count == 3)
    try await backups.expectValid("\(backups.path)/\(first)")
  }

  @Test(
    "An unreadable backup is named, not passed over, and no other backup is removed",
    arguments: [
      "rm bagit.txt", "rm bag-info.txt", "ln -sf /etc/hostname bag-info.txt",
      "sed -i 's/^Holdfast-Moment.*/Holdfast-Moment: soon/' bag-info.txt",
    ])
  func unreadable(damage: String) async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    let older = try backups.newest()
    try await Task.sleep(for: .seconds(1.1))
    try await library.importing("voice.wav")
    _ = try await library.holdfast("backup", backups.path)
    let newer = try #require(try backups.names().last)
    _ = try await Command.output(
      of: "sh", ["-c", "cd \"$0\" && \(damage)", "\(backups.path)/\(newer)"])

    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 4, "\(verified.output)")
    #expect((verified.output + verified.errorOutput).contains(newer))
    let list = try await library.holdfast("backup", "list", backups.path)
    #expect(list.errorOutput.contains("\(newer) cannot be read as a backup"))
    let target = temporary("restored")
    let restore = try await library.holdfast("restore", backups.path, "--to", target)
    #expect(restore.status == 1)
    #expect(restore.errorOutput.contains(newer), "\(restore.errorOutput)")
    #expect(!FileManager.default.fileExists(atPath: target))
    // The older one is used if it is named.
    let named = try await library.holdfast("restore", older, "--to", target)
    #expect(named.status == 0, "\(named.errorOutput)")

    let next = try await library.holdfast("backup", backups.path, "--keep", "1")
    #expect(next.status == 3, "\(next.output)\(next.errorOutput)")
    #expect(next.errorOutput.contains(newer), "\(next.errorOutput)")
    #expect(FileManager.default.fileExists(atPath: older))
    try await backups.expectValid(try backups.newest())
  }

  @Test("Backups made by a clock that is a year ahead do not remove the history")
  func clock() async throws {
    try await library.importing("aac.m4a")
    let shim = temporary("clock.so")
    let source = Repository.root + "/scripts/known-names.c"
    _ = try await Command.output(of: "gcc", ["-shared", "-fPIC", "-o", shim, source])
    for seconds in [-1_900_000.0, -1_200_000, -600_000, 34_000_000, 34_000_100] {
      let time = Int(Date(timeIntervalSinceNow: seconds).timeIntervalSince1970)
      let made = try await Command.run(
        Command.holdfast, library.command(["backup", backups.path]),
        environment: [
          "LD_PRELOAD": shim, "KNOWN_BYTES": "/dev/urandom", "KNOWN_TIME": "\(time)",
        ])
      #expect(made.status == 0, "\(made.errorOutput)")
    }
    #expect(try backups.names().count == 5)
  }

  @Test("A renamed copy of a backup stays")
  func renamed() async throws {
    try await library.importing("aac.m4a")
    _ = try await library.holdfast("backup", backups.path)
    _ = try await Command.output(
      of: "cp", ["-a", backups.newest(), "\(backups.path)/before-the-holidays"])
    for _ in 1...2 {
      try await Task.sleep(for: .seconds(1.1))
      #expect(try await library.holdfast("backup", backups.path, "--keep", "1").status == 0)
    }
    #expect(try backups.names().count == 2)
    #expect(try backups.names().contains("before-the-holidays"))
  }
}
