import Foundation
import HoldfastTestSupport
import Testing

/// An exFAT disk in a file.
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
    mount.exfat-fuse $loop disk >&2
    trap 'cd "$0"; umount disk || umount -l disk; losetup --detach $loop' EXIT

    """
}

/// Memory sticks have exFAT: no hard links, times to two seconds, and names that ignore case.
@Suite(
  "Backups on exFAT", .temporaryFolder,
  .enabled("an exFAT disk must be mountable") { try await ExfatDisk.canMount() })
struct ExfatTests {
  let library = LibraryFolder()

  /// Runs bash, with the disk mounted and with functions: `backup` backs up, `valid` validates the
  /// only backup, `kept NAME` prints its copy of a file in quarantine, and `marked NAME` prints the
  /// name of a file with capitals in a backup. `$q` is the library's quarantine.
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
          marked() { printf '%s~%.12s' "$1" "$(printf %s "$1" | sha256sum)"; }
          code=0
          \(script)
          exit $code
          """, temporary("mounted"), try Command.holdfast, library.path,
      ])
  }

  @Test("Each backup updates the only one, which is valid and can be restored")
  func update() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    let result = try await bash(
      """
      backup; valid
      "$holdfast" delete --library "$library" --yes \
        "$("$holdfast" list --library "$library" --type audio --json \
          | sed 's/.*"id":"\\([^"]*\\)".*/\\1/')" >&2
      sleep 1; backup; valid; ls disk/backups/2*/data/Recordings | grep -c '[.]'
      "$holdfast" restore disk/backups --to restored >&2
      "$holdfast" verify --deep --library restored
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("0 files copied"), "\(result.output)")
    #expect(result.lines.last == "1")
  }

  @Test("A file whose name changes only in case is backed up under its new name")
  func renamed() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      mkdir "$q/Folder"; echo beside > "$q/beside"; echo old > "$q/Words.TXT"
      echo inner > "$q/Folder/x"; backup
      mv "$q/Words.TXT" "$q/words.txt"; echo new > "$q/words.txt"; mv "$q/Folder" "$q/folder"
      sleep 1; backup; valid; kept words.txt; kept folder/x
      "$holdfast" backup verify disk/backups
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("new\ninner\n"), "\(result.output)")
  }

  @Test(
    "A change of case in a file's name loses nothing, even if the backup is killed",
    arguments: Extent.sample(Array(1...10), every: 5))
  func killed(number: Int) async throws {
    try await library.importing("aac.m4a")
    let fault = number % 2 == 0 ? "unlinkat" : "renameat"
    let result = try await bash(
      """
      echo old > "$q/Words.TXT"; echo other > "$q/b"; backup
      mv "$q/Words.TXT" "$q/words.txt"; echo new > "$q/words.txt"; sleep 1
      (ulimit -c 0; strace -f -qq -o /dev/null -e trace=all \
        -e inject=\(fault):signal=KILL:when=\((number + 1) / 2) \
        "$holdfast" backup --library "$library" disk/backups >&2) || true
      "$holdfast" backup list disk/backups >&2; valid; backup; valid; kept words.txt
      "$holdfast" backup verify disk/backups
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("new\n"), "\(result.output)")
  }

  @Test("Files whose names the disk cannot tell apart are all kept, marked by hashes")
  func twins() async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      echo lower > "$q/notes"; echo one > "$q/ας"; mkdir "$q/Dir"; echo in > "$q/Dir/a"
      backup --dry-run; backup; valid
      sleep 1; echo upper > "$q/Notes"; echo two > "$q/ασ"; mkdir "$q/dir"
      echo "in b" > "$q/dir/b"; echo "a:b" > "$q/a:b"
      backup; valid; "$holdfast" backup verify disk/backups
      kept notes; kept "$(marked Notes)"; kept "$(marked ας)"; kept "$(marked ασ)"
      kept "$(marked Dir)/a"; kept dir/b
      # The list names files as another disk has them too.
      cp -r disk/backups/2* copy; cd copy; sha256sum --strict --quiet -c manifest-sha256.txt
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.hasSuffix("lower\nupper\none\ntwo\nin\nin b\n"),
      "\(result.output)\(result.errorOutput)")
  }

  @Test(
    "A file that becomes a folder with a similar name, or the reverse, is not lost",
    arguments: [
      ("echo x > $q/Node", "rm $q/Node; mkdir $q/node; echo x > $q/node/in"),
      ("echo x > $q/ας", "rm $q/ας; mkdir $q/ασ; echo x > $q/ασ/in"),
      ("mkdir $q/Fold; echo x > $q/Fold/a", "mv $q/Fold/a $q/t; rmdir $q/Fold; mv $q/t $q/fold"),
      ("mkdir $q/dας; echo x > $q/dας/a", "mv $q/dας $q/dασ"),
      ("mkdir -p $q/Fold/Sub; echo x > $q/Fold/Sub/a", "mv $q/Fold/Sub/a $q/Fold/sub"),
    ])
  func becomes(before: String, after: String) async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      echo be > "$q/beside"; \(before); backup; valid; sleep 2; \(after); backup; valid
      "$holdfast" backup verify disk/backups; grep -rlx x disk/backups/2*/data/.quarantine | wc -l
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.lines.last == "1", "\(result.output)\(result.errorOutput)")
  }

  @Test(
    "A foreign file with a name like a new one's is named before the backup is changed",
    arguments: [
      ("data/.quarantine/2026-11-20/WORDS", "echo x > $q/words"),
      ("data/.quarantine/2026-11-20/D4", "mkdir $q/d4; echo x > $q/d4/x"),
      (
        "data/Recordings/thumbnails",
        "$holdfast import --library $library --quiet \(Fixtures.path("portrait.mov"))"
      ),
    ])
  func obstacles(path: String, change: String) async throws {
    try await library.importing("aac.m4a")
    let result = try await bash(
      """
      echo be > "$q/beside"; backup; echo foreign > "$(echo disk/backups/2*)/\(path)"; sleep 1
      \(change)
      backup; echo "status $code"; code=0; valid; cat disk/backups/2*/\(path)
      # The kernel knows for a while that the other name was there, too.
      rm disk/backups/2*/\(path); sleep 4; backup; valid
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("status 1\nforeign\n"), "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("move it away"), "\(result.errorOutput)")
  }

  @Test(
    "Files with names other than their recordings' are backed up under unique names",
    arguments: [
      // Two names that differ in case, as files, as folders, and as a file and a folder.
      "mv $one $r/Thumbnails/pic.jpg; mv $two $r/Thumbnails/PIC.jpg; name 0 Thumbnails/pic.jpg; "
        + "name 1 Thumbnails/PIC.jpg",
      "mkdir $r/thumbnails; mv $one $r/thumbnails/a.jpg; name 0 thumbnails/a.jpg",
      "mv $one $r/thumbnails; name 0 thumbnails",
      // A name that the disk cannot have.
      "mv $one $r/Thumbnails/a:b.jpg; name 0 Thumbnails/a:b.jpg",
    ])
  func misnamed(change: String) async throws {
    try await library.importing("portrait.mov", "hevc10.mov")
    let result = try await bash(
      """
      r=$library/Recordings
      { read -r one; read -r two; } <<< "$(ls "$r"/Thumbnails/*)"
      name() {
        sqlite3 "$library/catalog.sqlite" "UPDATE recording SET thumbnailPath = 'Recordings/$2'
          WHERE id = (SELECT id FROM recording ORDER BY id LIMIT 1 OFFSET $1)"
      }
      backup; valid; \(change)
      for time in 1 2; do sleep 1.1; backup; valid; done
      "$holdfast" backup verify disk/backups; cp -r disk/backups/2* copy
      cd copy; sha256sum --strict --quiet -c manifest-sha256.txt; cd ..
      "$holdfast" restore copy --to restored >&2 || echo "restored with findings"
      "$holdfast" verify --repair --library restored >&2
      echo "$(ls restored/Recordings/Thumbnails/video_*_thumb.jpg | wc -l) thumbnails"
      "$holdfast" init merged >&2; "$holdfast" merge disk/backups --library merged >&2
      "$holdfast" verify --deep --library merged >&2
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.hasSuffix("restored with findings\n2 thumbnails\n"),
      "\(result.output)\(result.errorOutput)")
  }

  @Test(
    "The last good copy stays although its recording's file has another name now",
    arguments: ["", "name own"])
  func renamedAndLost(change: String) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let result = try await bash(
      """
      r=$library/Recordings; own=$(ls "$r"/audio_*); hash=$(sha256sum < "$own"); hash=${hash%% *}
      name() {
        path=Recordings/Foo.m4a; [ "$1" = other ] || path=Recordings/${own##*/}
        sqlite3 "$library/catalog.sqlite" "UPDATE recording SET filePath = '$path'
          WHERE type = 'audio'"
      }
      mv "$own" "$r/Foo.m4a"; name other; backup; sleep 1.1; rm "$r/Foo.m4a"; \(change)
      [ -n "\(change)" ] || "$holdfast" verify --repair --library "$library" >&2 || true
      for time in 1 2; do
        backup; echo "status $code"; code=0; valid; sleep 1.1
        grep -c "^$hash" disk/backups/2*/manifest-sha256.txt
      done
      "$holdfast" verify --repair --from disk/backups --library "$library" >&2
      backup; valid; "$holdfast" backup verify disk/backups >&2; ls disk/backups/2*/data/Recordings
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.ranges(of: "status 3\n1\n").count == 2, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("keeps the last good copy"), "\(result.errorOutput)")
    #expect(!result.lines.contains { $0.contains("~") }, "\(result.output)")
  }

  @Test("Two rows that disagree about one file do not stop a backup")
  func disputed() async throws {
    try await library.importing("portrait.mov", "hevc10.mov")
    let result = try await bash(
      """
      r=$library/Recordings
      { read -r one; read -r two; } <<< "$(ls "$r"/Thumbnails/*)"
      sqlite3 "$library/catalog.sqlite" "UPDATE recording SET thumbnailPath = (
        SELECT min(thumbnailPath) FROM recording)"
      backup; echo "status $code"; code=0; valid
      cp "$two" "$one"; sleep 1.1; backup; echo "status $code"; code=0; valid
      """)
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(
      result.output.ranges(of: "status 3\n").count == 2, "\(result.output)\(result.errorOutput)")
  }

  @Test("An unreadable quarantine folder keeps its copies beside one whose name differs in case")
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

  @Test("With a renamed backup, a dry run counts what a backup copies, and refuses --link")
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
