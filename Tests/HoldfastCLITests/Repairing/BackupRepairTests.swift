import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// A repair read the backup's own catalog as a possible recording, read files that could not match,
/// and refused any work for a library whose recordings were all missing.
@Suite("Repair from a backup", .temporaryFolder)
struct BackupRepairTests {
  let library = LibraryFolder()
  private var backup: String { temporary("backup") }

  private func bash(_ script: String) async throws {
    _ = try await Command.output(
      of: "bash", ["-ec", "umask 077; \(script)"], workingDirectory: library.path)
  }

  private func repair(_ options: String...) async throws -> (status: Int32, findings: [Finding]) {
    let result = try await library.holdfast(["verify", "--repair", "--json"] + options)
    return (result.status, try result.jsonLines(of: Finding.self))
  }

  /// Repairs from a folder.
  ///
  /// - Returns: The regular files in that folder that were opened for reading. A descriptor with
  ///   `O_PATH` only identifies a file.
  private func opened(in folder: String) async throws -> [String] {
    let trace = try await Strace.run(
      ["trace=open,openat,openat2"], library.command(["verify", "--repair", "--from", folder]))
    #expect(trace.result.status == 0, "\(trace.result.output)")
    let files = Set(try await Find.names(folder, ["-type", "f"]).map { "\(folder)/\($0)" })
    let opened = trace.tracedCalls.filter { !$0.text.contains("O_PATH") }
    return Set(opened.flatMap(\.paths)).intersection(files).sorted()
  }

  @Test("No database of the backup is opened, and no file of another size")
  func opensNoDatabase() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    try await bash(
      """
      cp -r . ../backup; touch ../backup/catalog.sqlite-journal
      cp catalog.sqlite ../backup/other.db; ln catalog.sqlite ../backup/linked.m4a
      rm Recordings/*.mov
      """)
    let file = try #require(
      try await library.column("SELECT filePath FROM recording WHERE type = 'video'").first)
    #expect(try await opened(in: backup) == ["\(backup)/\(file)"])
    try await library.expectSound()
  }

  @Test("A source is found by its size, and no other file of the folder is opened")
  func sourceBySize() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await bash("rm Recordings/*.mov")
    let folder = Repository.root + "/fixtures"
    #expect(try await opened(in: folder) == ["\(folder)/portrait.mov"])
    try await library.expectSound()
  }

  @Test(
    "A library whose recordings are all missing gets them back from its backup",
    arguments: Extent.sample(
      ["rm -r Recordings", "rm -r Recordings/*", "rm $(find Recordings -type f)"], every: 3))
  func emptied(how: String) async throws {
    try await library.importing("portrait.mov", "aac.m4a", "voice.wav")
    try await bash("cp -r . ../backup; \(how)")
    let refused = try await library.holdfast("verify", "--repair")
    #expect(refused.status == 1)
    #expect(refused.errorOutput.contains("nothing was repaired"))
    let (status, findings) = try await repair("--from", backup)
    #expect(status == 0, "\(findings)")
    #expect(findings.allSatisfy { $0.repaired == true })
    #expect(try await library.holdfast("verify", "--deep").status == 0)
    try await library.expectSound()
  }

  @Test("While all are missing, only missing files are repaired, and no fault is noted")
  func touchesNothingElse() async throws {
    try await library.importing("portrait.mov", "aac.m4a", "hevc8.mp4")
    try await bash("cp -r . ../backup; rm ../backup/Recordings/*.m4a")
    // A deletion that died: its files are in the trash.
    let id = try await library.column(
      "SELECT id FROM recording WHERE originalFilename = 'hevc8.mp4'")[0]
    let killed = try await Strace.run(
      ["trace=fsync", "inject=fsync:signal=KILL:when=1"], path: "\(library.path)/Recordings",
      library.command(["delete", id, "--yes"]))
    try #require(killed.result.wasKilled)
    try await bash(
      """
      rm $(find Recordings -type f); echo words > Recordings/notes.txt; mkdir -p .quarantine/then
      chmod 644 Recordings/notes.txt
      """)
    let others = [
      "-not", "-path", "*/Recordings/*", "-not", "-name", "catalog.sqlite", "-type", "f",
    ]
    let before = try await Find.names(library.path, others)
    let (status, findings) = try await repair("--from", backup)
    #expect(status == 4)
    let repaired = findings.filter { $0.repaired == true }.map(\.kind).sorted()
    #expect(repaired == ["fileMissing", "thumbnailMissing"], "\(findings)")
    let putOff = findings.filter { $0.repair?.contains("repair again afterwards") == true }
    #expect(Set(putOff.map(\.kind)).isSuperset(of: ["unknownFile", "wrongMode", "staleTrash"]))
    #expect(try await Find.names(library.path, others) == before)
    #expect(
      try await library.find("-name", "notes.txt", "-perm", "644") == ["Recordings/notes.txt"])
    #expect(try await library.column("SELECT count(*) FROM recording WHERE fault NOTNULL") == ["0"])
    // With one of them back, the library is repaired like any other.
    let next = try await repair("--from", Repository.root + "/fixtures")
    #expect(next.status == 0, "\(next.findings)")
    try await library.expectSound()
  }

  @Test("A remade file with other bytes is not stored until one of the recordings is back")
  func otherBytes() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    // As if another FFmpeg had made it.
    try await library.changeCatalog(
      "UPDATE recording SET fileSHA256 = substr(fileSHA256, 2) || substr(fileSHA256, 1, 1) "
        + "WHERE type = 'video'")
    try await bash("rm $(find Recordings -type f)")
    let hashes = "SELECT fileSHA256 FROM recording ORDER BY id"
    let before = try await library.column(hashes)
    let fixtures = Repository.root + "/fixtures"
    let (status, findings) = try await repair("--from", fixtures)
    #expect(status == 4)
    let video = findings.first { $0.kind == "fileMissing" && $0.path.hasSuffix(".mov") }
    #expect(video?.repair?.contains("other bytes") == true, "\(findings)")
    #expect(try await library.column(hashes) == before)
    #expect(try await library.find("-name", "*.m4a").count == 1)
    #expect(try await repair("--from", fixtures).status == 0)
    try await library.expectSound()
  }
}
