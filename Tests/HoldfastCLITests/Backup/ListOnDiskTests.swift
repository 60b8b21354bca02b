import Foundation
import HoldfastTestSupport
import Testing

/// While a backup is made, the file lists of the last backup and of the new one are read from the
/// disk.
@Suite("A backup's lists of files on the disk", .temporaryFolder)
struct ListOnDiskTests {
  let library = LibraryFolder(at: "library")
  let backups = Backups()

  private func makeLibrary(recordings: Int) async throws {
    _ = try await Command.output(
      of: "\(Repository.root)/scripts/make-catalog",
      [
        library.path, "--files", "--recordings", "\(recordings)", "--cravings", "10", "--usage",
        "10",
      ], environment: ["HOLDFAST_PROGRAM": Command.holdfast])
  }

  private func bash(_ script: String, _ arguments: String...) async throws -> [String] {
    try await Command.output(of: "bash", ["-ec", "set -o pipefail; \(script)", "sh"] + arguments)
      .lines
  }

  /// Runs a backup under strace.
  private func backUp(tracing options: [String]) async throws -> CommandResult {
    try await Command.run(
      "strace",
      ["-f", "-qq", "-o", temporary("trace")] + options + [try Command.holdfast]
        + library.command(["backup", backups.path]))
  }

  @Test("If the last list cannot be read to its end, the last good copy of a recording stays")
  func unreadableLast() async throws {
    try await makeLibrary(recordings: 1500)
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    let bag = try backups.newest()
    let file = try await library.column(
      "SELECT filePath FROM recording ORDER BY id LIMIT 1 OFFSET 900")[0]
    try FileManager.default.removeItem(atPath: "\(library.path)/\(file)")
    let list = ["-P", "\(bag)/manifest-sha256.txt", "-e", "trace=pread64"]
    // Each time the list can be read, another bag is made.
    let whole = try await backUp(tracing: list)
    #expect(whole.status == 3, "\(whole.errorOutput)")
    let reads = try String(contentsOfFile: temporary("trace"), encoding: .utf8)
      .split(separator: "\n").count
    try #require(reads > 20)
    for read in stride(
      from: 1, through: reads, by: max(reads / Extent.choose(sample: 6, whole: 40), 1))
    {
      try FileManager.default.removeItem(atPath: backups.path + "/" + backups.names()[1])
      let result = try await backUp(
        tracing: list + ["-e", "inject=pread64:error=EIO:when=\(read)"])
      #expect(result.status != 0, "\(read)")
      // A bag whose list cannot be read when the backup begins is named and kept.
      let isInNewest = FileManager.default.fileExists(
        atPath: "\(try backups.newest())/data/\(file)")
      #expect(
        isInNewest || result.errorOutput.contains("unreadable"), "\(read): \(result.errorOutput)")
      #expect(FileManager.default.fileExists(atPath: "\(bag)/data/\(file)"))
      if try backups.names().count == 1 {
        _ = try await bash("cp -a \"$1\" \"$1-2\"", bag)
      }
    }
  }

  @Test("If a list is read back shorter than it was written, the backup fails or is whole")
  func shortRead() async throws {
    try await makeLibrary(recordings: 700)
    let trace = ["-e", "trace=pread64"]
    #expect(try await backUp(tracing: trace).status == 0)
    let reads = try String(contentsOfFile: temporary("trace"), encoding: .utf8)
      .split(separator: "\n").count
    let expected = try await bash(
      "cd \"$1/data\"; find . -type f -printf '%P\\n' | sort", backups.newest())
    for read in stride(
      from: reads, to: 0, by: -max(reads / Extent.choose(sample: 8, whole: 100), 1))
    {
      try FileManager.default.removeItem(atPath: backups.path)
      let result = try await backUp(
        tracing: trace + ["-e", "inject=pread64:retval=0:when=\(read)"])
      guard result.status == 0 else { continue }
      let bag = try backups.newest()
      try await backups.expectValid(bag, "\(read)")
      #expect(
        try await bash("cut -c72- \"$1/manifest-sha256.txt\" | sort", bag) == expected, "\(read)")
    }
  }

  @Test(
    "A thumbnail that is listed for two recordings is backed up once", arguments: [true, false])
  func sharedThumbnail(links: Bool) async throws {
    try await makeLibrary(recordings: 20)
    try await library.changeCatalog(
      """
      UPDATE recording SET (thumbnailPath, thumbnailSHA256) = (
        SELECT thumbnailPath, thumbnailSHA256 FROM recording WHERE type = 'video'
        ORDER BY id LIMIT 1)
      WHERE id IN (SELECT id FROM recording WHERE type = 'video' ORDER BY id LIMIT 3)
      """)
    for _ in 1...2 {
      let result = try await backUp(
        tracing: ["-e", "trace=linkat"] + (links ? [] : ["-e", "inject=linkat:error=EPERM"]))
      #expect(result.status == 0, "\(result.errorOutput)")
      try await backups.expectValid(backups.newest())
      try await Task.sleep(for: .seconds(1.1))
    }
  }

  @Test(
    "If two recordings disagree about one thumbnail, the rest is backed up",
    arguments: ["NULL", "'\(String(repeating: "0", count: 64))'"])
  func disputedThumbnail(hash: String) async throws {
    try await makeLibrary(recordings: 20)
    try await library.changeCatalog(
      """
      UPDATE recording SET thumbnailSHA256 = \(hash), thumbnailPath = (
        SELECT thumbnailPath FROM recording WHERE type = 'video' ORDER BY id LIMIT 1)
      WHERE id = (SELECT id FROM recording WHERE type = 'video' ORDER BY id LIMIT 1 OFFSET 1)
      """)
    for _ in 1...2 {
      let result = try await library.holdfast("backup", backups.path)
      #expect(result.status == (hash == "NULL" ? 0 : 3), "\(result.errorOutput)")
      #expect(
        result.errorOutput.contains("another row of the catalog names this file") || hash == "NULL")
      try await backups.expectValid(backups.newest())
      try await Task.sleep(for: .seconds(1.1))
    }
  }

  @Test("A backup whose list could not be read once is kept, even if it can be read later")
  func unreadableOnce() async throws {
    try await makeLibrary(recordings: 20)
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    let bag = try backups.newest()
    try await Task.sleep(for: .seconds(1.1))
    let result = try await Command.run(
      "strace",
      [
        "-f", "-qq", "-o", temporary("trace"), "-P", "\(bag)/manifest-sha256.txt", "-e",
        "trace=pread64", "-e", "inject=pread64:error=EIO:when=1", try Command.holdfast,
      ] + library.command(["backup", backups.path, "--keep", "1"]))
    #expect(result.status == 3 && result.errorOutput.contains("unreadable"))
    #expect(try backups.names().count == 2)
  }

  @Test("The lists that an interrupted backup left are removed, and not used")
  func leftover() async throws {
    try await makeLibrary(recordings: 5)
    for name in ["2026-11-20-101500Z.partial", "2026-11-20-111500Z.update"] {
      _ = try await bash(
        "mkdir -p \"$1/data/Recordings\"; touch \"$1\"/manifest.part-{0,3} "
          + "\"$1/data/holdfast.json\"",
        "\(backups.path)/\(name)")
    }
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: backups.path).filter {
        $0.hasPrefix("2026-11-20")
      }.isEmpty)
    #expect(try await bash("find \"$1\" -name '*part*'", backups.path).isEmpty)
  }
}
