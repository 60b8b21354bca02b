import Foundation
import HoldfastTestSupport
import Testing

/// Files that a backup shares with the last one without reading them must match the library's.
@Suite("A file that a backup shares with the last one", .temporaryFolder)
struct SharedFileTests {
  let library = LibraryFolder()
  let backups = Backups()
  private var quarantine: String { library.path + "/.quarantine/2026-11-20" }

  private func backUp(_ options: String...) async throws -> CommandResult {
    try await library.holdfast(["backup", backups.path] + options)
  }

  @discardableResult
  private func bash(_ script: String, _ arguments: String...) async throws -> [String] {
    try await Command.output(
      of: "bash", ["-c", "set -e; cd \"$0\"; \(script)", temporary("")] + arguments
    ).lines
  }

  @Test(
    "stays while its folder in quarantine cannot be read", arguments: [true, false],
    [[], ["--verify"]])
  func unreadableFolder(links: Bool, options: [String]) async throws {
    try await library.importing("aac.m4a")
    try await bash("mkdir -p \"$1/in\"; echo one > \"$1/a b%\"; echo two > \"$1/in/c\"", quarantine)
    let refusal = links ? [] : ["-e", "inject=linkat:error=EPERM"]
    for isFirst in [true, false] {
      let fault = ["-P", quarantine, "-e", "inject=getdents64:error=EIO"]
      let result = try await Command.run(
        "strace",
        ["-f", "-qq", "-o", temporary("trace"), "-e", "trace=getdents64,linkat"] + refusal
          + (isFirst ? [] : fault) + [try Command.holdfast]
          + library.command(["backup", backups.path, "--keep", "1"] + options))
      #expect(result.status == (isFirst ? 0 : 3), "\(result.output)\(result.errorOutput)")
      if !isFirst { #expect(result.errorOutput.contains("not backed up  \(quarantine)")) }
      let bag = try backups.newest()
      let copies = "cd \"$1/data/.quarantine/2026-11-20\"; cat 'a b=25' in/c"
      #expect(try await bash(copies, bag) == ["one", "two"])
      try await backups.expectValid(bag)
      try await Task.sleep(for: .seconds(1.1))
    }
  }

  @Test("stays while its folder cannot be read, beside a folder whose name looks the same")
  func unreadableFolderLikeAnother() async throws {
    try await library.importing("aac.m4a")
    let (composed, decomposed) = ("\(quarantine)/\u{E9}", "\(quarantine)/e\u{301}")
    try await bash(
      "mkdir -p \"$1\" \"$2\"; echo one > \"$1/x\"; echo two > \"$2/x\"", composed, decomposed)
    #expect(try await backUp().status == 0)
    let result = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", decomposed, "-e", "trace=getdents64", "-e",
        "inject=getdents64:error=EIO", try Command.holdfast,
      ] + library.command(["backup", backups.path]))
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    let bag = try backups.newest()
    #expect(
      try await bash("cat \"$1\"/data/.quarantine/*/*/x | sort", bag) == ["one", "two"])
    try await backups.expectValid(bag)
  }

  @Test("is read if --link shares it with a backup that a wrong clock dated in the future")
  func future() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp("--link").status == 0)
    try await backups.setMoment("2099-01-01T00:00:00.000Z", of: backups.newest())
    try await Task.sleep(for: .seconds(1.1))
    #expect(try await backUp("--link").status == 0)
    try await backups.setMoment("2099-01-02T00:00:00.000Z", of: backups.newest())
    try await bash(
      "printf XX | dd of=$(ls library/Recordings/*.m4a) bs=1 seek=100 conv=notrunc status=none")
    try await Task.sleep(for: .seconds(1.1))
    let result = try await backUp("--link")
    #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("it is damaged"), "\(result.errorOutput)")
  }

  @Test("is copied again if it is rewritten in quarantine within a second, at the same size")
  func rewritten() async throws {
    try await library.importing("aac.m4a")
    try await bash(
      "mkdir -p \"$1\"; echo one > \"$1/x\"; touch -d '2026-11-20 10:00:00.5' \"$1/x\"", quarantine)
    #expect(try await backUp().status == 0)
    try await bash("echo two > \"$1/x\"; touch -d '2026-11-20 10:00:01.2' \"$1/x\"", quarantine)
    try await Task.sleep(for: .seconds(1.1))
    #expect(try await backUp().status == 0)
    #expect(try await bash("cat \"$1/data/.quarantine/2026-11-20/x\"", backups.newest()) == ["two"])
  }

  @Test("is backed up even if it is deleted while --verify finds the last copy damaged")
  func deletedMeanwhile() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp().status == 0)
    let first = try backups.newest()
    let file = try #require(
      try await bash(
        """
        file=$(ls "$1"/data/Recordings/*.*); touch -r "$file" time
        printf XX | dd of="$file" bs=1 seek=100 conv=notrunc status=none
        touch -r time "$file"; rm time
        echo "$file"
        """, first
      ).last)
    try await Task.sleep(for: .seconds(1.1))
    // Reading the damaged one takes three seconds.
    async let backup = Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", file, "-e", "trace=pread64,read",
        "-e", "inject=pread64,read:delay_enter=3000000:when=1", try Command.holdfast,
      ] + library.command(["backup", backups.path, "--verify"]))
    try await bash(
      "for i in {1..200}; do ! compgen -G 'library/.staging/*/file-*' || break; sleep 0.1; done; "
        + "sleep 0.5"
    )
    let id = try await library.column("SELECT id FROM recording")[0]
    #expect(try await library.holdfast("delete", "--yes", id).status == 0)
    let result = try await backup
    #expect(result.status == 4, "\(result.output)\(result.errorOutput)")
    try await backups.expectValid(backups.newest())
    try await LibraryFolder.restored(from: backups.newest(), to: "restored").expectSound()
  }

  @Test("is named by a dry run too when the library has lost it")
  func dryRun() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    #expect(try await backUp().status == 0)
    try await bash("rm library/Recordings/*.mov")
    try await Task.sleep(for: .seconds(1.1))
    for options in [["--dry-run"], []] {
      let result = try await library.holdfast(["backup", backups.path] + options)
      #expect(result.status == 3, "\(result.output)\(result.errorOutput)")
      #expect(result.errorOutput.contains("No such file"), "\(result.errorOutput)")
      #expect(result.errorOutput.contains("the backup keeps the last good copy"))
    }
  }

  @Test("stays in a backup with a damaged list, which nothing removes")
  func damagedList() async throws {
    try await library.importing("aac.m4a")
    #expect(try await backUp().status == 0)
    try await bash("echo >> \"$1/manifest-sha256.txt\"", backups.newest())
    for count in 2...3 {
      try await Task.sleep(for: .seconds(1.1))
      let result = try await backUp("--keep", "1")
      #expect(result.status == (count == 2 ? 3 : 0) || result.status == 3, "\(result.errorOutput)")
      #expect(try backups.names().count == count)
    }
  }

  @Test(
    "A backup that fails on a full disk leaves nothing behind",
    .enabled("user namespaces must be allowed to mount a tmpfs") {
      try await FullDiskTests.canMount()
    })
  func full() async throws {
    try await library.importing("aac.m4a", "portrait.mov")
    let script = """
      mkdir "$0"; mount -t tmpfs -o nr_inodes=9 none "$0" || exit 99
      "$1" backup --library "$2" "$0"; echo $?; ls -A "$0"
      """
    let result = try await Command.run(
      "unshare", ["-Urm", "bash", "-c", script, backups.path, try Command.holdfast, library.path])
    #expect(result.lines == ["1", ".lock"], "\(result.output)\(result.errorOutput)")
    #expect(result.errorOutput.contains("No space left"), "\(result.errorOutput)")
    #expect(!result.errorOutput.contains("holdfast-removed"), "\(result.errorOutput)")
  }
}
