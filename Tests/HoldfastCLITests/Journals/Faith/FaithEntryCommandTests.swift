import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: the commands on entries", .temporaryFolder)
struct FaithEntryCommandTests {
  @Test("An entry is printed as an export has it, and shown on its own clock")
  func write() async throws {
    let library = try await LibraryFolder.withFaith()
    let drawing = temporary("drawing")
    try Data([1, 2, 3]).write(to: URL(filePath: drawing))
    let result = try await library.holdfast([
      "faith", "entry", "write", "--title", "Sea", "--content", "Blue.", "--tag", "Hope", "--tag",
      "hope", "--mood", " Grateful ", "--location", "the pier", "--drawing", drawing, "--at",
      "2025-11-04T05:15+05:45", "--json",
    ])
    #expect(
      result.output.withoutChance == """
        {"content":"Blue.","createdAt":"NOW","date":"2025-11-03T23:30:00.000Z","dateOffset":345,\
        "drawingData":"AQID","id":"ID","isPrivate":false,"location":"the pier","mood":"Grateful",\
        "photoURLs":[],"tags":["Hope"],"title":"Sea"}

        """)
    let id = try #require(try await library.faiths("entry", "list").first?.id)
    let shown = try await library.holdfast("faith", "entry", "show", id)
    for line in [
      "when        2025-11-04 05:15 +05:45", "content     Blue.", "tags        Hope",
      "drawing     3 bytes",
    ] { #expect(shown.lines.contains(line), "\(shown.output)") }
    let list = try await library.holdfast("faith", "entry", "list")
    #expect(list.lines.last?.hasSuffix("drawing  Sea") == true, "\(list.output)")
    // SQLite's own check confuses columns if a key's columns do not come first.
    try await library.expectSound()
    let edited = try await library.faith(
      "entry", "edit", id, "--mood", "", "--drawing", "", "--private")
    #expect(edited.mood == nil && edited.drawingData == nil)
    #expect(edited.isPrivate == true && edited.title == "Sea")
    _ = try await library.faith("entry", "edit", id, "--content", "One.\n\n fault  Two.\r\nThree.")
    let paragraphs = try await library.holdfast("faith", "entry", "show", id)
    #expect(
      paragraphs.output.contains(
        "\ncontent     One.\n\n             fault  Two.\n            Three.\n"),
      "\(paragraphs.output)")
    #expect(try await library.faith("entry", "tag", id, "Joy").tags == ["Hope", "Joy"])
    #expect(try await library.faith("entry", "tag", id, "HOPE", "--remove").tags == ["Joy"])
  }

  @Test("The text can come from standard input, which is read up to the limit")
  func standardInput() async throws {
    let library = try await LibraryFolder.withFaith()
    let command = ["faith", "entry", "write", "--title", "Psalm", "--content", "-"]
    let written = try await library.answering("still waters", command + ["--json"])
    #expect(try written.json(FaithRecord.self).content == "still waters")
    for (length, words) in [
      (100_001, "the content has 100001 characters; at most 100000 are allowed"),
      (500_000, "at most 100000 characters are allowed"),
    ] {
      let long = try await library.answering(String(repeating: "x", count: length), command)
      #expect(long.status == 1 && long.errorOutput.contains(words), "\(long.errorOutput)")
    }
  }

  @Test("2: A voice note is imported with its entry, and each outlives the other")
  func voiceNote() async throws {
    let library = try await LibraryFolder.withFaith()
    let entry = try await library.faith(
      "entry", "write", "--title", "Spoken", "--record", Fixtures.path("aac.m4a"))
    let recording = try #require(entry.recordingId)
    #expect(try await library.column("SELECT id FROM recording") == [recording])
    let shown = try await library.holdfast("show", recording)
    #expect(
      shown.lines.contains { $0.hasPrefix("spoken for  \(entry.id.prefix(8))") },
      "\(shown.output)")
    #expect(try await library.faiths("entry", "list", "--voice").count == 1)
    #expect(try await library.faith("entry", "unlink", entry.id).recordingId == nil)
    #expect(try await library.faith("entry", "link", entry.id, recording).recordingId == recording)
    // Private: the recording names it only on request.
    try await library.faith("entry", "edit", entry.id, "--private")
    for options in [[], ["--json"]] {
      #expect(
        !(try await library.holdfast(["show", recording] + options)).output.contains("Spoken"))
      let asked = try await library.holdfast(["show", recording, "--private"] + options)
      #expect(asked.output.contains("Spoken"), "\(asked.output)")
    }
    _ = try await library.holdfast("delete", "--yes", recording)
    #expect(try await library.faith("entry", "show", entry.id).recordingId == nil)
    let again = try await library.faith(
      "entry", "write", "--title", "Again", "--record", Fixtures.path("aac.m4a"))
    _ = try await library.holdfast("faith", "entry", "delete", "--yes", again.id)
    #expect(try await library.column("SELECT id FROM recording").count == 1)
  }

  @Test("5: A private entry is left out until --private asks for it")
  func privacy() async throws {
    let library = try await LibraryFolder.withFaith()
    try await library.faith(
      "entry", "write", "--title", "Gooseberry", "--mood", "Sad", "--tag", "berry", "--private")
    for command in [
      ["faith", "entry", "list"], ["faith", "entry", "list", "--search", "goose"],
      ["faith", "entry", "tags"], ["faith", "mood", "count"], ["stats", "--journal", "faith"],
    ] {
      let result = try await library.holdfast(command)
      #expect(result.status == 0, "\(result.errorOutput)")
      let text = (result.output + result.errorOutput).lowercased()
      for word in ["goose", "berry", "sad"] { #expect(!text.contains(word), "\(command) \(text)") }
    }
    #expect(try await library.faiths("entry", "list", "--private").count == 1)
    let csv = ["export", "--format", "csv", "--output"]
    _ = try await library.holdfast(csv + [temporary("shown")])
    _ = try await library.holdfast(csv + [temporary("all"), "--private"])
    let shown = try await Command.run("grep", ["-ri", "goose", temporary("shown")])
    #expect(shown.status == 1, "\(shown.output)")
    let all = try await Command.run("grep", ["-ri", "goose", temporary("all")])
    #expect(all.status == 0)
    let json = try await library.holdfast("export", "--format", "json")
    #expect(json.output.contains("Gooseberry"))
  }

  private static let usage: [[String]] = [
    ["entry", "write", "--title", " "],
    ["entry", "write", "--title", "a", "--at", "2999-01-01 10:00"],
    ["entry", "write", "--title", "a", "--at", "2025-02-30 10:00"],
    ["entry", "write", "--title", "a", "--mood", String(repeating: "x", count: 41)],
    ["entry", "write", "--title", "a", "--recording", "abcd", "--record", "x"],
    ["entry", "list", "--day", "2025-02-30"], ["entry", "list", "--days", "0"],
    ["entry", "list", "--since", "2025-02-02", "--until", "2025-02-01"], ["entry", "edit", "abcd"],
    ["prayer", "list", "--status", "open"], ["prayer", "add", "--title", ""],
    ["mood", "log", " "], ["prompt", "add", ""],
  ]

  @Test(
    "Bad usage is exit status 64, and names the figure", arguments: Extent.sample(usage, every: 3))
  func badUsage(command: [String]) async throws {
    let library = try await LibraryFolder.withFaith()
    try await library.expectFaithRefusal(command, status: 64, saying: "Usage: holdfast faith")
  }

  @Test("A missing record is named, with the command that lists the others")
  func missing() async throws {
    let library = try await LibraryFolder.withFaith()
    for (noun, kind) in [
      ("entry", "journal entry"), ("prayer", "prayer"), ("mood", "mood"), ("prompt", "prompt"),
    ] {
      try await library.expectFaithRefusal(
        [noun, "show", "abcd"], status: 1,
        saying: #"no \#(kind)'s id begins with "abcd"; holdfast faith \#(noun) list shows them"#)
    }
    let result = try await LibraryFolder("other").holdfast("faith", "entry", "list")
    #expect(result.errorOutput.contains("holdfast journal enable faith makes its tables"))
    try await library.expectFaithRefusal(
      ["entry", "prompt"], status: 1, saying: "there is no prompt; holdfast faith prompt list")
  }

  @Test("14: On a terminal, a list of hostile titles fits 80 columns")
  func width() async throws {
    let library = try await LibraryFolder.withFaith()
    for title in [
      String(repeating: "שלום ", count: 30), String(repeating: "👨‍👩‍👧 ", count: 30),
      "e" + String(repeating: "\u{301}", count: 190), "\u{202E}evil\u{1B}[31m",
    ] { try await library.faith("entry", "write", "--title", title) }
    let list = try await Command.run(
      "script",
      [
        "-qec",
        "stty columns 80; \(try Command.holdfast) faith entry list --library \(library.path)",
        "/dev/null",
      ])
    #expect(list.output.contains("\\u{202E}evil\\u{1B}[31m"), "\(list.output)")
    // Scalars of the rows, without marks and joined emojis: none needs more than 80 cells.
    let lines = list.output.split(whereSeparator: \.isNewline)
    #expect(lines.count >= 5)
    for line in lines { #expect(line.count <= 80, "\(line)") }
  }

  @Test("15: A deletion asks first, and leaves no trace of the words")
  func delete() async throws {
    let library = try await LibraryFolder.withFaith()
    let entry = try await library.faith(
      "entry", "write", "--title", "Gooseberry", "--content", "gooseberries")
    let command = ["faith", "entry", "delete", entry.id]
    let no = try await library.answering("n", command)
    #expect(no.status == 1 && no.errorOutput.contains("Gooseberry"))
    let yes = try await library.answering("y", command + ["--json"])
    #expect(yes.output == #"{"event":"deleted","id":"\#(entry.id)"}"# + "\n")
    try await library.expectNoTrace(of: "gooseberr")
  }
}
