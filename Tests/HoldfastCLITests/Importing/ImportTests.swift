import Foundation
import HoldfastTestSupport
import Testing

@Suite("Importing", .temporaryFolder)
struct ImportTests {
  let library = LibraryFolder()

  @Test("The fixtures become what their manifest says; one bad file stops no other")
  func fixtures() async throws {
    let result = try await library.holdfast("import", "--json", Fixtures.path(""))
    #expect(result.status == 3)
    #expect(result.errorOutput.isEmpty)
    let lines = try ImportLine.lines(of: result)
    let summary = try #require(lines.last)
    #expect(summary.event == "summary")
    #expect(summary.imported == lines.count { $0.event == "imported" })
    #expect(summary.failed == lines.count { $0.event == "failed" })
    #expect(summary.skipped == 0 && summary.interrupted == 0)
    for row in Fixtures.manifest where !["notes.txt", "photo.jpg", "photo.heic"].contains(row.path)
    {
      let line = try #require(
        lines.first { $0.source.map { URL(filePath: $0).lastPathComponent } == row.path },
        "\(row.path)")
      expect(line, is: row)
    }
    try await library.expectSound()
  }

  private func expect(_ line: ImportLine, is row: ManifestRow) {
    let name = Comment(rawValue: row.path)
    if row.expect == .accept { #expect(line.event == "imported", name) }
    if row.expect == .refuse { #expect(line.event == "failed", name) }
    if let recording = line.recordings?.first, let duration = row.duration {
      #expect(line.recordings?.count == 1, name)
      #expect(recording.type == row.type, name)
      #expect(abs(recording.duration - duration) < 0.1, name)
    } else {
      #expect(line.error?.isEmpty == false && line.code?.isEmpty == false, name)
    }
  }

  @Test("A complete import ends with status 0, with results on stdout and the rest on stderr")
  func allTaken() async throws {
    let (aac, two) = (Fixtures.path("aac.m4a"), Fixtures.path("two-tracks.mkv"))
    let result = try await library.holdfast("import", "--jobs", "1", aac, two)
    let ids = try await library.column("SELECT substr(id, 1, 8) FROM recording ORDER BY type")
    #expect(result.status == 0)
    #expect(
      result.lines == [
        "imported  \(aac) → \(ids[0])  audio 0:02 (sound copied)",
        "imported  \(two) → \(ids[1])  video 0:02 (picture copied, sound copied)",
        "2 imported.",
      ])
    #expect(
      result.errorLines == [
        "  note: two-tracks.mkv: an audio track (aac, stream 1) is left out: only one track of "
          + "each kind is kept"
      ])
  }

  @Test("--quiet prints only the results and the errors")
  func quiet() async throws {
    let (two, text) = (Fixtures.path("two-tracks.mkv"), Fixtures.path("text.mp4"))
    let result = try await library.holdfast("import", "--quiet", "--jobs", "1", two, text)
    #expect(result.status == 3)
    #expect(result.errorLines == ["refused   \(text): is text, not a recording"])
    #expect(result.lines.count == 2)
    #expect(result.lines.last == "1 imported, 1 refused.")
  }

  @Test("A dry run says what would be done and writes nothing at all", arguments: [true, false])
  func dryRun(hasRecording: Bool) async throws {
    if hasRecording { try await library.importing("aac.m4a") }
    let sources = try makeFolder("in", holding: ["aac.m4a", "odd.webm", "portrait.mov"])
    let before = try await Find.snapshot(TemporaryFolder.current)
    let result = try await library.holdfast("import", "--dry-run", "--jobs", "1", sources)
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
    #expect(result.status == 0)
    #expect(
      result.lines.suffix(3) == [
        "would import  \(sources)/odd.webm  video 0:01 (picture encoded: vp8 does not play "
          + "everywhere)",
        "would import  \(sources)/portrait.mov  video 0:02 (picture copied, sound copied)",
        hasRecording
          ? "2 would be imported, 1 already in the library." : "3 would be imported.",
      ])
  }

  @Test("A given purpose, title and notes are stored as they are, whatever they hold")
  func words() async throws {
    let title = "It's \"me\"; DROP TABLE recording; -- 🙂"
    try await library.importing(
      "aac.m4a", options: ["--title", title, "--notes", "a\nb", "--purpose", "craving"])
    let rows = try await library.sql("SELECT title, notes, purpose FROM recording")
    #expect(rows == [[title, "a\nb", "craving"]])
  }

  @Test(
    "Titles and notes that are too long are refused before anything is done",
    arguments: [
      ("--title", 201, "Error: the title has 201 characters; at most 200 are allowed"),
      ("--notes", 5001, "Error: the notes have 5001 characters; at most 5000 are allowed"),
    ])
  func tooLong(option: String, count: Int, sentence: String) async throws {
    try await library.importing("aac.m4a")
    let text = String(repeating: "é", count: count)
    let result = try await library.holdfast("import", option, text, Fixtures.path("voice.wav"))
    #expect(result.status == 1)
    #expect(result.errorLines == [sentence])
    #expect(try await library.column("SELECT count(*) FROM recording") == ["1"])
    let longest = String(text.dropLast())
    try await library.importing("voice.wav", options: [option, longest])
  }

  @Test("--video h264 encodes what could be copied; --video copy refuses what cannot be")
  func videoPolicy() async throws {
    try await library.importing("silent-video.mp4", options: ["--video", "h264"])
    let file = try #require(try await library.column("SELECT filePath FROM recording").first)
    let packets = try await FFprobe.packets("\(library.path)/\(file)")
    let source = try await FFprobe.packets(Fixtures.path("silent-video.mp4"))
    #expect(packets.count == source.count)
    #expect(packets.map(\.size) != source.map(\.size))
    let result = try await library.holdfast(
      "import", "--video", "copy", Fixtures.path("odd.webm"))
    #expect(result.status == 3)
    try await library.expectSound()
  }
}
