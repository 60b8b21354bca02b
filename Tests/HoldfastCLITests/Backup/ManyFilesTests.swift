import Foundation
import HoldfastTestSupport
import Testing

/// A list of files that exceeds one block, and must not be in memory.
@Suite("A backup of thousands of recordings", .temporaryFolder)
struct ManyFilesTests {
  let backups = Backups()

  /// Makes a library whose recordings have small files that cannot be played.
  private func makeLibrary(_ name: String, recordings: Int) async throws -> LibraryFolder {
    let library = LibraryFolder(at: name)
    _ = try await Command.output(
      of: "\(Repository.root)/scripts/make-catalog",
      [
        library.path, "--files", "--recordings", "\(recordings)", "--cravings", "10", "--usage",
        "10",
      ], environment: ["HOLDFAST_PROGRAM": Command.holdfast])
    return library
  }

  private func bash(_ script: String, _ arguments: String...) async throws -> [String] {
    try await Command.output(of: "bash", ["-ec", "set -o pipefail; \(script)", "sh"] + arguments)
      .lines
  }

  @Test("is listed whole and sorted, and the next one copies only what is new")
  func listed() async throws {
    let library = try await makeLibrary("library", recordings: 1500)
    let first = try await library.holdfast("backup", backups.path)
    #expect(first.status == 0, "\(first.errorOutput)")
    let bag = try backups.newest()
    try await backups.expectValid(bag)
    let listed = "cut -c67- \"$1/manifest-sha256.txt\""
    #expect(
      try await bash(listed, bag)
        == bash("cd \"$1\"; find data -type f -printf '%p\\n' | LC_ALL=C sort", bag))

    let gone = try await library.column(
      "SELECT id FROM recording ORDER BY id LIMIT 3 OFFSET 700")
    _ = try await library.holdfast(["delete", "--yes"] + gone)
    try await library.importing("hevc10.mov")
    try await Task.sleep(for: .seconds(1.1))
    let next = try await library.holdfast("backup", backups.path, "--json")
    #expect(next.status == 0, "\(next.errorOutput)")
    #expect(next.output.contains("\"copied\":2,"))
    let bags = try backups.names()
    try await backups.expectValid(backups.newest())
    let lost = try await bash(
      "comm -23 <(\(listed) | grep Recordings) <(cut -c67- \"$2/manifest-sha256.txt\")",
      backups.path + "/" + bags[0], backups.path + "/" + bags[1])
    #expect(!lost.isEmpty && lost.allSatisfy { path in gone.contains { path.contains($0) } })
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 0, "\(verified.output)")
  }

  @Test("can be used if another tool has reordered its list, but not if a name is listed twice")
  func otherOrder() async throws {
    let library = try await makeLibrary("library", recordings: 400)
    _ = try await library.holdfast("backup", backups.path)
    let bag = try backups.newest()
    let describe = "sha256sum bag-info.txt bagit.txt manifest-sha256.txt > tagmanifest-sha256.txt"
    _ = try await bash(
      "cd \"$1\"; shuf manifest-sha256.txt > list; mv list manifest-sha256.txt; \(describe)", bag)
    try await backups.expectValid(bag)
    let restored = try await LibraryFolder.restored(from: backups.path, to: "restored")
    #expect(try await restored.column("SELECT count(*) FROM recording") == ["400"])
    let difference = try await Command.run(
      "diff", ["-r", library.path + "/Recordings", restored.path + "/Recordings"])
    #expect(difference.status == 0, "\(difference.output)")
    try await Task.sleep(for: .seconds(1.1))
    let next = try await library.holdfast("backup", backups.path, "--json")
    #expect(next.status == 0 && next.output.contains("\"copied\":0,"), "\(next.output)")

    let newest = try backups.newest()
    _ = try await bash(
      "cd \"$1\"; shuf -n 1 manifest-sha256.txt > line; cat line >> manifest-sha256.txt; rm line; "
        + describe, newest)
    let verified = try await library.holdfast("backup", "verify", backups.path)
    #expect(verified.status == 4 && verified.output.contains("damaged"), "\(verified.output)")
  }

  @Test("uses no more memory than a smaller one", .enabled(if: Extent.isWhole))
  func memory() async throws {
    let measure = """
      import resource, subprocess, sys
      subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL)
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      """
    var most: [[Int]] = []
    for count in [2000, 12000] {
      let library = try await makeLibrary("library-\(count)", recordings: count)
      let folder = temporary("backups-\(count)")
      var used: [Int] = []
      // The first backup, the next one, and the verification.
      for arguments in [["backup", folder], ["backup", folder], ["backup", "verify", folder]] {
        let kilobytes = try await Command.output(
          of: "python3", ["-c", measure, Command.holdfast] + library.command(arguments))
        used.append(try #require(Int(kilobytes.lines.first ?? "")))
        try await Task.sleep(for: .seconds(1.1))
      }
      most.append(used)
    }
    for (few, many) in zip(most[0], most[1]) {
      // A list in memory would take 19 MB more.
      #expect(many - few < 12000, "\(most)")
    }
  }
}
