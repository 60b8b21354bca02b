import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: the commands on verses, plans, topics and devotionals", .temporaryFolder)
struct FaithStudyCommandTests {
  @Test("6: Verses are added for days, from a file too, bookmarked, and shown for today")
  func verses() async throws {
    let library = try await LibraryFolder.withFaith()
    let none = try await library.holdfast("faith", "verse", "today")
    #expect((none.status, none.output, none.errorOutput) == (0, "", "Today has no verse.\n"))
    let verse = try await library.faith(
      "verse", "add", "--reference", "Psalm 23:1", "--text", "The LORD is my shepherd.",
      "--translation", "KJV")
    let today = try await library.holdfast("faith", "verse", "today")
    #expect(today.output == "The LORD is my shepherd.\nPsalm 23:1 (KJV)\n")
    try await library.expectFaithRefusal(
      ["verse", "add", "--reference", "x", "--text", "y"], status: 1,
      saying: "has a verse already, Psalm 23:1")
    let file = temporary("verses.json")
    try Data(
      """
      [{"date":"2025-11-03","reference":"Psalm 23:1","text":"a","translation":"kjv"},
       {"date":"2025-11-03","reference":"John 1:1","text":"b"},
       {"date":"2025-02-30","reference":"John 1:1","text":"b"}, {"reference":"x"}, 7]
      """.utf8
    ).write(to: URL(filePath: file))
    let imported = try await library.holdfast("faith", "verse", "import", file)
    #expect((imported.status, imported.output) == (3, "1 verse added\n"))
    for words in [
      "verse 2: 2025-11-03 has a verse already", #"verse 3: "2025-02-30" is not a day"#,
      "verse 4: it lacks the text date", "verse 5: it lacks",
    ] { #expect(imported.errorOutput.contains(words), "\(imported.errorOutput)") }
    _ = try await library.faith("verse", "bookmark", verse.id, "--notes", "gooseberry")
    let list = try await library.holdfast("faith", "verse", "list", "--json")
    #expect(list.output.components(separatedBy: #""isBookmarked":true"#).count == 3)
    let asked = try await library.answering("n", ["faith", "verse", "unbookmark", verse.id])
    #expect(asked.status == 1 && asked.errorOutput.contains("gooseberry"))
    _ = try await library.faith("verse", "unbookmark", verse.id, "--yes")
    #expect(try await library.faiths("bookmark", "list").isEmpty)
    try await library.expectNoTrace(of: "gooseberry")
    try await library.expectSound()
  }

  @Test("7: A plan's readings are marked by number or day, and the rest is counted kindly")
  func plan() async throws {
    let library = try await LibraryFolder.withFaith()
    let plan = try await library.faith(
      "plan", "add", "--title", "Luke", "--start", "2025-11-03", "--end", "2025-11-06",
      "--reading", "Luke 1", "--reading", "Luke 1", "--reading", "Luke 2")
    _ = try await library.faith("plan", "done", plan.id, "2025-11-04")
    _ = try await library.faith("plan", "done", plan.id, "3")
    _ = try await library.faith("plan", "undo", plan.id, "3")
    let shown = try await library.holdfast("faith", "plan", "show", plan.id)
    for line in [
      "read        1 of 3 read, 2 to read", "1           2025-11-03  Luke 1",
      "2           2025-11-04  read  Luke 1",
    ] { #expect(shown.lines.contains(line), "\(shown.output)") }
    for day in ["0", "4", "-9223372036854775808", "9223372036854775807", "2025-11-02"] {
      try await library.expectFaithRefusal(
        ["plan", "done", plan.id, "--", day], status: 1, saying: "the plan has 3 readings")
    }
    try await library.expectFaithRefusal(
      [
        "plan", "add", "--title", "x", "--start", "2025-11-03", "--end", "2025-11-03", "--reading",
        "a", "--reading", "b",
      ], status: 64, saying: "2 readings for 1 day")
    let json = try await library.holdfast("faith", "plan", "list", "--json")
    for field in [#""leftToRead":2"#, #""progress":0.333"#] {
      #expect(json.output.contains(field), "\(json.output)")
    }
    try await library.expectSound()
  }

  @Test("Topics and devotionals are added, changed, listed and completed")
  func topics() async throws {
    let library = try await LibraryFolder.withFaith()
    let topic = try await library.faith(
      "study", "add", "--title", "Shepherds", "--verse", "Psalm 23:1", "--verse", "John 10:11")
    _ = try await library.faith("study", "edit", topic.id, "--notes", "more")
    let shown = try await library.holdfast("faith", "study", "show", topic.id)
    #expect(
      shown.lines.contains("verses      Psalm 23:1") && shown.lines.contains("notes       more"))
    let devotional = try await library.faith(
      "devotional", "add", "--title", "Rest", "--day", "2025-11-03", "--record",
      Fixtures.path("aac.m4a"))
    let recording = try #require(devotional.recordingId)
    #expect(try await library.faiths("devotional", "list", "--recording", recording).count == 1)
    _ = try await library.faith("devotional", "done", devotional.id)
    #expect(try await library.faiths("devotional", "list", "--open").isEmpty)
    _ = try await library.faith("devotional", "undo", devotional.id)
    #expect(try await library.faiths("devotional", "list", "--open").count == 1)
    let linked = try await library.holdfast("show", recording)
    #expect(linked.output.contains("2025-11-03  Rest"), "\(linked.output)")
  }
}
