import Foundation
import HoldfastTestSupport
import Testing

/// A backup is read when the library needs it, and a file that it no longer has is lost.
@Suite("The last good copy", .temporaryFolder)
struct LastGoodCopyTests {
  let library = LibraryFolder()
  let backups = Backups()

  private func backUp(links: Bool = true, _ options: String...) async throws -> CommandResult {
    let refusal = ["-e", "trace=linkat", "-e", "inject=linkat:error=EPERM"]
    return try await Command.run(
      "strace",
      ["-f", "-qq", "-o", temporary("trace")] + (links ? ["-e", "trace=none"] : refusal)
        + [try Command.holdfast] + library.command(["backup", backups.path] + options))
  }

  private func bash(_ script: String, _ arguments: String...) async throws -> [String] {
    try await Command.output(
      of: "bash", ["-c", "set -e; cd \"$0\"; \(script)", temporary("")] + arguments
    ).lines
  }

  /// Writes into the library's sound in place, as a failing disk or a program might.
  private func damage() async throws {
    _ = try await bash(
      "printf XX | dd of=$(ls library/Recordings/*.m4a) bs=1 seek=100 conv=notrunc status=none")
  }

  @Test(
    "The copy of a recording that is damaged in the library stays in the backup",
    arguments: [true, false])
  func damaged(links: Bool) async throws {
    try await library.importing("aac.m4a", "voice.wav")
    #expect(try await backUp(links: links).status == 0)
    let hash =
      "sha256sum \(links ? "$(ls -d backups/2* | tail -1)" : "backups/2*")/data/Recordings/*.*"
    let before = try await bash("\(hash) | cut -d' ' -f1")
    try await Task.sleep(for: .seconds(2.1))
    _ = try await bash(
      "for file in library/Recordings/*.*; do "
        + "printf XX | dd of=$file bs=1 seek=100 conv=notrunc status=none; done"
    )
    for _ in 1...2 {
      let result = try await backUp(links: links, "--keep", "1")
      #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
      #expect(result.errorOutput.contains("the backup keeps the last good copy"))
      #expect(try await bash("\(hash) | cut -d' ' -f1") == before)
      try await backups.expectValid(try backups.newest())
      try await Task.sleep(for: .seconds(1.1))
    }
    let restored = try await LibraryFolder.restored(from: backups.path, to: "restored")
    try await restored.expectSound()
  }

  @Test("A restored copy does not count as damaged, and a merge says what repairs the library's")
  func noted() async throws {
    try await library.importing("aac.m4a", "voice.wav")
    #expect(try await backUp().status == 0)
    try await Task.sleep(for: .seconds(2.1))
    let path = try await library.column("SELECT filePath FROM recording LIMIT 1")[0]
    _ = try await bash(
      "printf XX | dd of=\"$1\" bs=1 seek=100 conv=notrunc status=none", "library/" + path)
    #expect(try await library.holdfast("verify", "--deep").status == 4)
    #expect(try await backUp().status == 3)
    let restored = try await LibraryFolder.restored(from: backups.path, to: "restored")
    #expect(
      try await restored.column("SELECT count(*) FROM recording WHERE fault IS NOT NULL") == ["0"])
    try await restored.expectSound()
    func expectLost(_ other: String) async throws {
      let result = try await library.holdfast("merge", other)
      #expect(result.status == 3, "\(result.output)")
      #expect(result.errorOutput.contains("brings it back"), "\(result.errorOutput)")
    }
    for other in [backups.path, restored.path] { try await expectLost(other) }
    #expect(try await restored.holdfast("merge", library.path).status == 0)
    try FileManager.default.removeItem(atPath: "\(library.path)/\(path)")
    for other in [backups.path, restored.path] { try await expectLost(other) }
    #expect(try await library.holdfast("verify", "--repair", "--from", backups.path).status == 0)
    #expect(try await library.holdfast("merge", backups.path).status == 0)
    try await library.expectSound()
  }

  @Test(
    "The copy of a recording that the library lost stays, and is named", arguments: [true, false])
  func lost(links: Bool) async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    #expect(try await backUp(links: links).status == 0)
    _ = try await bash("rm library/Recordings/*.mov")
    try await Task.sleep(for: .seconds(1.1))
    let result = try await backUp(links: links, "--keep", "1")
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("No such file"), "\(result.errorOutput)")
    #expect(result.errorOutput.contains("the backup keeps the last good copy"))
    #expect(try backups.names().count == (links ? 2 : 1))
    try await backups.expectValid(try backups.newest())
    try await LibraryFolder.restored(from: backups.newest(), to: "restored").expectSound()
  }

  /// A shared library that makes every disk seem to lack hard links.
  private func withoutLinks() async throws -> String {
    _ = try await bash(
      """
      echo '#include <errno.h>
      int linkat(int a, const char *b, int c, const char *d, int e) {
        errno = EPERM; return -1;
      }' > links.c
      gcc -shared -fPIC -o links.so links.c
      """)
    return temporary("links.so")
  }

  @Test("The copy of a quarantined file stays while the library's cannot be read")
  func quarantined() async throws {
    try await library.importing("aac.m4a")
    let file = library.path + "/.quarantine/2026-11-20/x"
    _ = try await bash("mkdir -p \(library.path)/.quarantine/2026-11-20 && echo words > \(file)")
    #expect(try await backUp(links: false).status == 0)
    _ = try await bash("touch -d 2026-11-21 \(file)")
    let result = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", file, "-e", "trace=read,pread64",
        "-e", "inject=read,pread64:error=EIO", "-E", "LD_PRELOAD=" + (try await withoutLinks()),
        try Command.holdfast,
      ] + library.command(["backup", backups.path]))
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("Input/output error"), "\(result.errorOutput)")
    let bag = try backups.newest()
    #expect(try await bash("cat \(bag)/data/.quarantine/2026-11-20/x") == ["words"])
    try await backups.expectValid(bag)
  }

  @Test("The copy of a lost recording stays where the disk does not report the backup's files")
  func unseen() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    #expect(try await backUp(links: false).status == 0)
    _ = try await bash("rm library/Recordings/*.mov")
    let bag = try backups.newest()
    let files = "cd \(bag)/data/Recordings; sha256sum *.*"
    let before = try await bash(files)
    // A disk without hard links, where no file of the backup can be inspected.
    let result = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", bag + "/data/Recordings",
        "-E", "LD_PRELOAD=" + (try await withoutLinks()),
        "-e", "trace=newfstatat", "-e", "inject=newfstatat:error=EIO", try Command.holdfast,
      ] + library.command(["backup", backups.path]))
    #expect(result.status != 0, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("Input/output error"), "\(result.errorOutput)")
    #expect(try backups.names().count == 1)
    #expect(try await bash(files) == before)
    try await backups.expectValid(bag)
  }

  @Test("A copy that cannot be read now stays if the library's file is damaged")
  func unread() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp(links: false).status == 0)
    try await Task.sleep(for: .seconds(2.1))
    try await damage()
    let file = try await bash("ls backups/2*/data/Recordings/*.*")
    let result = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", try #require(file.first), "-P",
        "\(backups.path)",
        "-P", temporary(file[0]), "-e", "trace=pread64,read,linkat", "-e",
        "inject=linkat:error=EPERM", "-e", "inject=pread64,read:error=EIO", try Command.holdfast,
      ] + library.command(["backup", backups.path]))
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    try await backups.expectValid(try backups.newest())
    try await LibraryFolder.restored(from: backups.newest(), to: "restored").expectSound()
  }

  @Test("An update with an unreadable plan is reported, and the backup stays valid")
  func unreadPlan() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp(links: false).status == 0)
    _ = try await bash(
      "mkdir -p \"$1.update\"; printf soon > \"$1.update/plan\"", try backups.newest())
    for _ in 1...2 {
      let result = try await library.holdfast("backup", "list", backups.path)
      #expect(result.status == 1)
      #expect(result.errorOutput.contains("it names no backup"), "\(result.errorOutput)")
    }
    _ = try await bash("rm backups/*.update/plan")
    #expect(try await library.holdfast("backup", "list", backups.path).status == 0)
    try await backups.expectValid(try backups.newest())
  }

  @Test("No backup is removed while the list of another one is damaged")
  func damagedList() async throws {
    try await library.importing("aac.m4a")
    for _ in 1...3 {
      #expect(try await backUp("--keep", "all").status == 0)
      try await Task.sleep(for: .seconds(1.1))
    }
    let middle = try backups.names()[1]
    _ = try await bash("echo >> \"$1/manifest-sha256.txt\"", "\(backups.path)/\(middle)")
    let result = try await backUp("--keep", "3")
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("unreadable  \(middle)"), "\(result.errorOutput)")
    #expect(try backups.names().count == 4)
  }

  @Test("The next backup shares files although their times in the library have changed")
  func otherTimes() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    #expect(try await backUp().status == 0)
    _ = try await bash("touch -d 2020-02-02 library/Recordings/*.* library/Recordings/Thumbnails/*")
    for isFirst in [true, false] {
      try await Task.sleep(for: .seconds(1.1))
      let result = try await Command.run(
        "strace",
        ["-f", "-qq", "-y", "-e", "trace=read,pread64", "-o", temporary("reads"), Command.holdfast]
          + library.command(["backup", backups.path]))
      #expect(result.status == 0)
      #expect(result.output.contains("0 files copied"), "\(result.output)")
      // Both are read the first time. After that, they have the same time.
      let reads = try String(contentsOfFile: temporary("reads"), encoding: .utf8)
      #expect(reads.contains("/data/Recordings/") == isFirst)
    }
  }

  @Test("A file that --verify finds damaged in the last backup is copied again")
  func rot() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp().status == 0)
    let first = try backups.newest()
    _ = try await bash(
      """
      file=$(ls "$1"/data/Recordings/*.*); touch -r "$file" time
      printf XX | dd of="$file" bs=1 seek=100 conv=notrunc status=none
      touch -r time "$file"; rm time
      """, first)
    try await Task.sleep(for: .seconds(1.1))
    let result = try await backUp("--verify", "--keep", "1")
    #expect(result.status == 4, "\(result.output)\(result.errorOutput)")
    #expect(result.output.contains("1 file copied"), "\(result.output)")
    try await backups.expectValid(try backups.newest())
    // It found the old one damaged, so it removed nothing.
    #expect(FileManager.default.fileExists(atPath: first))
  }

  @Test("After a backup with --link, one without it copies the files again")
  func linked() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp("--link").status == 0)
    try await Task.sleep(for: .seconds(1.1))
    let copied = try await backUp()
    #expect(copied.output.contains("1 file copied"), "\(copied.output)")
    // The library's file and that of the first backup.
    #expect(try await bash("stat -c %h library/Recordings/*.*") == ["2"])
    try await Task.sleep(for: .seconds(1.1))
    try await damage()
    let result = try await backUp("--keep", "1")
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    try await backups.expectValid(try backups.newest())
    try await LibraryFolder.restored(from: backups.newest(), to: "restored").expectSound()
  }

  @Test("A damaged file that is only in backups with --link is named")
  func linkedDamage() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp("--link").status == 0)
    try await Task.sleep(for: .seconds(1.1))
    try await damage()
    let result = try await backUp("--link")
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("it is damaged"))
  }

  @Test("A renamed backup is not updated on a disk without links")
  func named() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp(links: false).status == 0)
    let list = "cd backups/holidays && find . -type f | sort | xargs sha256sum"
    _ = try await bash("mv backups/2* backups/holidays")
    let before = try await bash(list)
    try await library.importing("voice.wav")
    #expect(try await backUp(links: false, "--keep", "1").status == 0)
    #expect(try await bash(list) == before)
    #expect(try backups.names().count == 2)
    try await backups.expectValid(
      try #require(try backups.names().first.map { "\(backups.path)/\($0)" }))
  }

  @Test("On a read-only disk, a backup is readable although its unfinished update cannot be undone")
  func onlyToRead() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp(links: false).status == 0)
    _ = try await bash("mkdir -p \"$1.update/data\"; mkdir target", try backups.newest())
    let script = """
      set -e; cd "$0"; mount --bind backups backups; mount -o remount,ro,bind backups
      "$1" backup list backups; "$1" backup verify backups
      "$1" restore backups --to target/restored
      """
    let result = try await Command.run(
      "unshare", ["-Urm", "bash", "-c", script, temporary(""), try Command.holdfast])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    try await LibraryFolder(at: "target/restored").expectSound()
  }

  @Test("Files that an update moved out of a backup stay when the backup was renamed")
  func movedAway() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp(links: false).status == 0)
    _ = try await bash(
      """
      mkdir -p "$1.update/data"; echo words > "$1.update/data/moved"
      printf 2026-01-01-000000Z > "$1.update/plan"; mv "$1" backups/holidays
      """, try backups.newest())
    let result = try await library.holdfast("backup", "list", backups.path)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("interrupted"), "\(result.errorOutput)")
    #expect(try await bash("cat backups/*.update/data/moved") == ["words"])
  }
}
