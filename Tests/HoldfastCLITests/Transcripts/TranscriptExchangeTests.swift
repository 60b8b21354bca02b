import Foundation
import HoldfastTestSupport
import Testing

@Suite("Transcripts in exports, merges, backups and deletions", .temporaryFolder)
struct TranscriptExchangeTests {
  let library = LibraryFolder()
  /// Unique at the beginning, and random at the end, as an index stores the ends of words.
  private let word = "zwetschge" + UUID().uuidString.lowercased().filter(\.isLetter)

  private func recording(_ library: LibraryFolder) async throws -> String {
    try await library.importing("aac.m4a")
    return try await library.column("SELECT id FROM recording")[0]
  }

  /// Everything about the transcripts that an export has.
  private func rows(_ library: LibraryFolder) async throws -> [[String]] {
    try await library.sql(
      """
      SELECT state, source, program, model, language, isLanguageDoubtful, transcript.createdAt,
        transcript.modifiedAt, position, startTime, endTime, text, wordTimes
      FROM transcript JOIN transcriptSegment ON transcriptId = transcript.id
      ORDER BY transcript.id, position
      """)
  }

  @Test("Export, erase, import: the transcript comes back to the same source's recording")
  func roundTrip() async throws {
    let id = try await recording(library)
    try await library.transcribe(id, "one \(word)", "two")
    let before = try await rows(library)
    #expect(before.count == 2)
    let document = temporary("export.json")
    #expect(
      try await library.holdfast("export", "--format", "json", "--output", document).status == 0)
    _ = try await library.answering("erase library", ["erase", "--everything"])
    #expect(try await library.grep(word) == [])
    let lost = try await library.holdfast("import-data", document)
    #expect(lost.status == 3)
    #expect(lost.errorOutput.contains("its recording is not in the library"), "\(lost.errorOutput)")
    #expect(try await recording(library) != id)
    let found = try await library.holdfast("import-data", document)
    #expect(found.status == 0, "\(found.errorOutput)")
    #expect(found.output.contains("transcripts: 1 added"), "\(found.output)")
    #expect(try await rows(library) == before)
    let again = try await library.holdfast("import-data", document)
    #expect(again.output.contains("transcripts: 1 unchanged"), "\(again.output)")
    try await library.expectSound()
  }

  @Test("An earlier decision does not come back after a later one", arguments: ["merge", "data"])
  func decided(way: String) async throws {
    let id = try await recording(library)
    try await library.transcribe(id, "first")
    for (decision, later) in [
      (["delete", "--yes"], "second"), (["never", "--yes"], "third"), (["delete", "--yes"], nil),
    ] {
      _ = try await library.holdfast(["transcript"] + decision + [id])
      let copy = LibraryFolder(at: "copy-\(later ?? "none")")
      _ = try await Command.output(of: "cp", ["-a", library.path, copy.path])
      _ = try await library.holdfast("transcript", "allow", id)
      if let later { try await library.transcribe(id, later) }
      let result =
        try await
        (way == "merge"
        ? library.holdfast("merge", copy.path)
        : library.importData(copy.export(to: "\(later ?? "none").json")))
      #expect(result.status == 0, "\(result.errorOutput)")
      #expect(try await library.sentences() == [later].compactMap(\.self))
      if later == nil {
        #expect(try await library.column("SELECT state FROM transcript") == ["allowed"])
      }
    }
    try await library.expectSound()
  }

  @Test("Merged both ways, joined recordings have the version that wins", arguments: [false, true])
  func joined(isOwnEdited: Bool) async throws {
    let other = LibraryFolder("other")
    let (id, otherID) = (try await recording(library), try await recording(other))
    if id == otherID {
      // A copy of one import has its ids.
      _ = try await other.holdfast("delete", "--yes", otherID)
      #expect(try await other.holdfast("import", Fixtures.path("aac.m4a")).status == 0)
    }
    let newID = try await other.column("SELECT id FROM recording")[0]
    try await library.transcribe(id, "own", at: 1)
    try await other.transcribe(newID, "other's", at: 2)
    let lines = temporary("lines")
    try Data("[0:00.000] edited\n".utf8).write(to: URL(filePath: lines))
    if isOwnEdited { _ = try await library.holdfast("transcript", "edit", id, "--file", lines) }
    let copy = LibraryFolder(at: "copy")
    _ = try await Command.output(of: "cp", ["-a", library.path, copy.path])
    for (target, source) in [(library, other.path), (other, copy.path)] {
      let merged = try await target.holdfast("merge", source)
      #expect(merged.status == 0, "\(merged.errorOutput)")
      try await target.expectSound()
    }
    #expect(try await library.sentences() == [isOwnEdited ? "edited" : "other's"])
    #expect(try await rows(library) == rows(other))
    let all = "SELECT transcript.id, recording.id FROM transcript LEFT JOIN recording USING (id)"
    #expect(try await library.sql(all) == other.sql(all))
    #expect(try await library.column(all) == [min(id, newID)])
    let again = try await library.holdfast("merge", other.path)
    #expect(again.output.contains("transcripts: 1 unchanged"), "\(again.output)")
  }

  @Test("Backup and restore keep it, of a whole library and of one recording")
  func restored() async throws {
    let id = try await recording(library)
    try await library.transcribe(id, "one \(word)", "two")
    let (backups, before) = (Backups(), try await rows(library))
    #expect(try await library.holdfast("backup", backups.path).status == 0)
    let whole = LibraryFolder(at: "restored")
    let result = try await Command.run(
      Command.holdfast, ["restore", backups.path, "--to", whole.path])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await rows(whole) == before)
    _ = try await library.holdfast("delete", "--yes", id)
    #expect(try await library.grep(word) == [])
    let one = try await library.holdfast("restore", backups.path, "--recording", id)
    #expect(one.status == 0, "\(one.errorOutput)")
    #expect(try await rows(library) == before)
    try await library.expectSound()
  }

  @Test(
    "No word is left after a deletion",
    arguments: [["delete"], ["transcript", "delete"], ["transcript", "never"]])
  func deleted(command: [String]) async throws {
    let id = try await recording(library)
    try await library.transcribe(id, "one \(word)", "two")
    #expect(try await library.grep(word) == ["\(library.path)/catalog.sqlite"])
    let result = try await library.holdfast(command + ["--yes", id])
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await library.grep(word) == [])
    _ = try await library.holdfast("doctor", "--compact")
    #expect(try await library.grep(word) == [])
  }

  @Test("A rebuilt catalog has the transcript, and counts at least as large as any revision")
  func rebuilt() async throws {
    let id = try await recording(library)
    try await library.transcribe(id, "one \(word)", "two")
    let before = try await rows(library)
    let catalog = "\(library.path)/catalog.sqlite"
    _ = try await Command.output(
      of: "sh",
      ["-c", "printf '%0100d' 0 | dd of=\"$0\" bs=1 seek=0 conv=notrunc 2>&1", catalog])
    let result = try await library.holdfast("restore", "--rebuild")
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(try await rows(library) == before)
    #expect(
      try await library.column(
        "SELECT added >= (SELECT max(revision) FROM transcript) FROM wordGeneration") == ["1"])
    try await library.expectSound()
  }
}
