import Foundation
import HoldfastTestSupport
import Testing

/// A disk with exFAT in a file.
enum ExfatDisk {
  static func canMount() async throws -> Bool {
    guard getuid() == 0 else { return false }
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let result = try await Command.run(
      "unshare", ["-m", "bash", "-c", mounting + "touch disk/x", folder])
    return result.status == 0
  }

  /// Makes the folder `$0`, and mounts a disk at `disk` in it.
  static let mounting = """
    set -e; mkdir -p "$0"; cd "$0"; mkdir disk; truncate -s 96M image; mkfs.exfat image >&2
    loop=$(losetup --find --show image); trap 'umount disk; losetup --detach $loop' EXIT
    mount.exfat-fuse $loop disk >&2; trap 'cd "$0"; umount disk || umount -l disk; losetup --detach $loop' EXIT

    """
}

/// Memory sticks have exFAT: no links, times to two seconds, and names in which case does not matter.
@Suite(
  "Backups on exFAT", .temporaryFolder,
  .enabled("an exFAT disk must be mountable") { try await ExfatDisk.canMount() })
struct ExfatTests {
  let library = LibraryFolder()

  /// Runs bash, with the disk mounted and with functions: `backup` backs up, `valid` looks at the only backup, and
  /// `kept NAME` prints what that has of a file in quarantine. `$q` is the library's quarantine.
  private func bash(_ script: String) async throws -> CommandResult {
    try await Command.run(
      "unshare",
      [
        "-m", "bash", "-c",
        ExfatDisk.mounting + """
          holdfast=$1 library=$2 q=$2/.quarantine/2026-11-20
          mkdir -p "$q"
          backup() { "$holdfast" backup --library "$library" disk/backups "$@" || code=$?; }
          valid() { (cd disk/backups/2* && sha256sum --strict --quiet -c manifest-sha256.txt); }
          kept() { cat disk/backups/2*/data/.quarantine/2026-11-20/"$1"; }
          code=0
          \(script)
          exit $code
          """, temporary("mounted"), try Command.holdfast, library.path,
      ])
  }

  @Test("The only one follows the library, and is never without a whole state")
  func update() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let result = try await bash(
      """
      backup; valid
      "$holdfast" delete --library "$library" --yes "$("$holdfast" list --library "$library" --type audio --json \
        | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')" >&2
      sleep 1; backup; valid; ls disk/backups/2*/data/Recordings | grep -c '[.]'
      "$holdfast" restore disk/backups --to restored >&2; "$holdfast" verify --deep --library restored
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("0 files copied"), "\(result.output)")
    #expect(result.lines.last == "1")
  }

  @Test("A file whose name changes only in case is there under its new name")
  func renamed() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      mkdir "$q/Folder"; echo beside > "$q/beside"; echo old > "$q/Words.TXT"; echo inner > "$q/Folder/x"; backup
      mv "$q/Words.TXT" "$q/words.txt"; echo new > "$q/words.txt"; mv "$q/Folder" "$q/folder"
      sleep 1; backup; valid; kept words.txt; kept folder/x
      "$holdfast" backup verify disk/backups
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("new\ninner\n"), "\(result.output)")
  }

  @Test(
    "Neither a rename in case nor a kill in the middle of it takes a file away",
    arguments: Extent.sample(Array(1...10), every: 5))
  func killed(number: Int) async throws {
    try await library.importing("aac.m4a")
    let fault = number % 2 == 0 ? "unlinkat" : "renameat"
    let result = try await bash(
      """
      echo old > "$q/Words.TXT"; echo other > "$q/b"; backup
      mv "$q/Words.TXT" "$q/words.txt"; echo new > "$q/words.txt"; sleep 1
      (ulimit -c 0; strace -f -qq -o /dev/null -e trace=all -e inject=\(fault):signal=KILL:when=\((number + 1) / 2) \
        "$holdfast" backup --library "$library" disk/backups >&2) || true
      "$holdfast" backup list disk/backups >&2; valid; backup; valid; kept words.txt
      "$holdfast" backup verify disk/backups
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("new\n"), "\(result.output)")
  }

  @Test("Of two files that differ only in case, one is kept, and the other is named")
  func twins() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      echo one > "$q/Words.txt"; backup; sleep 1; echo two > "$q/words.TXT"
      backup --dry-run; echo "$code" >&2; code=0; backup; valid; kept Words.txt; sleep 1
      backup; valid; kept Words.txt
      """)
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("one\n") && !result.output.contains("two\n"))
    let sentence = """
      .quarantine/2026-11-20/words.TXT: the backup's disk takes its name for that of \
      .quarantine/2026-11-20/Words.txt; rename one of them
      """
    #expect(
      result.errorOutput.components(separatedBy: sentence).count == 4, "\(result.errorOutput)")
  }

  @Test("Names that only this disk takes for one take nothing away, nor do those of folders")
  func aliases() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      echo one > "$q/ας"; mkdir "$q/Dir"; echo in > "$q/Dir/a"; echo file > "$q/Notes"; backup
      sleep 1; echo two > "$q/ασ"; mkdir "$q/dir" "$q/notes"; echo in > "$q/dir/b"; echo in > "$q/notes/x"
      backup; echo "$code" >&2; code=0; valid; kept ας; "$holdfast" backup verify disk/backups
      mv "$q/ασ" "$q/ας"; rm -r "$q/dir" "$q/notes"; sleep 1; backup; valid; kept ας
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    for name in ["ασ", "dir/b", "notes/x"] {
      #expect(
        result.errorOutput.contains("/\(name): the backup's disk takes its name for that of"),
        "\(result.errorOutput)")
    }
    #expect(result.output.contains("one\n") && result.output.hasSuffix("two\n"), "\(result.output)")
  }

  @Test("A folder in quarantine that cannot be read keeps its copies when another has its name")
  func unreadableTwin() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      mkdir "$q/foo"; echo one > "$q/foo/x"; backup; mkdir "$q/Foo"; echo two > "$q/Foo/x"; sleep 1
      strace -f -qq -o /dev/null -P "$q/foo" -e trace=getdents64 -e inject=getdents64:error=EIO \
        "$holdfast" backup --library "$library" disk/backups || echo "status $?"
      valid; kept foo/x
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.hasSuffix("status 3\none\n"), "\(result.output)\(result.errorOutput)")
  }

  @Test("A dry run foresees what comes of a backup that a person gave a name, and refuses --link")
  func dryRun() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      backup; mv disk/backups/2* disk/backups/holidays
      backup --dry-run; backup --link --dry-run; echo "$code" >&2; code=0; backup; valid
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.components(separatedBy: "; 1 file copied").count == 4, "\(result.output)")
    #expect(
      result.errorOutput.contains("on a disk that has no hard links"), "\(result.errorOutput)")
  }
}
