import Foundation
import HoldfastTestSupport
import Testing

@Suite("Faith: the commands on prayers, moods and prompts", .temporaryFolder)
struct FaithPrayerCommandTests {
  @Test("3: A prayer is answered, archived, unarchived and reopened")
  func prayer() async throws {
    let library = try await LibraryFolder.withFaith()
    let prayer = try await library.faith(
      "prayer", "add", "--title", "For rain", "--details", "The well is low.", "--at",
      "2025-11-03T12:00Z")
    #expect(prayer.status == "Active")
    let answered = try await library.faith(
      "prayer", "answer", prayer.id, "--notes", "gooseberry", "--at", "2025-11-06T08:00Z")
    #expect(answered.status == "Answered" && answered.answerDate == "2025-11-06T08:00:00.000Z")
    try await library.expectFaithRefusal(
      ["prayer", "answer", prayer.id], status: 1, saying: "reopen it first")
    #expect(try await library.faith("prayer", "archive", prayer.id).status == "Archived")
    let back = try await library.faith("prayer", "unarchive", prayer.id)
    #expect((back.status, back.answerDate) == ("Answered", answered.answerDate))
    let answers = try await library.holdfast("faith", "prayer", "answers")
    #expect(answers.output == "answered    1 prayer\nafter       3.0 days on average\n")
    #expect(try await library.faiths("prayer", "list", "--status", "answered").count == 1)
    // It asks, because notes would be lost.
    let no = try await library.answering("n", ["faith", "prayer", "reopen", prayer.id])
    #expect(no.status == 1 && no.errorOutput.contains("gooseberry"))
    let reopened = try await library.faith("prayer", "reopen", prayer.id, "--yes")
    #expect(reopened.status == "Active" && reopened.answerDate == nil)
    try await library.expectNoTrace(of: "gooseberry")
  }

  @Test("4: An unknown status is refused with the nearest")
  func status() async throws {
    let library = try await LibraryFolder.withFaith()
    try await library.expectFaithRefusal(
      ["prayer", "list", "--status", "activ"], status: 64, saying: "did you mean Active?")
    try await library.expectFaithRefusal(
      ["prayer", "list", "--status", "open"], status: 64,
      saying: "There are Active, Answered, Archived")
  }

  @Test("Moods are logged and counted in three periods")
  func moods() async throws {
    let library = try await LibraryFolder.withFaith()
    for (mood, days) in [("Sad", 0.0), ("sad", 20), ("Joyful", 60)] {
      try await library.faith("mood", "log", mood, "--at", ago(days * 86_400))
    }
    let counts = try await library.holdfast("faith", "mood", "count")
    #expect(
      counts.output == """
        7 DAYS  30 DAYS  90 DAYS  MOOD
             1        2        2  Sad
             0        0        1  Joyful

        """)
    #expect(try await library.faiths("mood", "list", "--mood", "SAD").count == 2)
    let stats = try await library.holdfast("stats", "--journal", "faith")
    #expect(stats.lines.first == "The last 30 days: 0 entries; 0 prayers.", "\(stats.output)")
    #expect(stats.lines.contains { $0.hasPrefix("Sad  2") })
  }

  @Test("11: An entry is written by the next prompt, which is then used")
  func prompts() async throws {
    let library = try await LibraryFolder.withFaith()
    let thanks = try await library.faith("prompt", "add", "What are you thankful for?")
    try await library.faith("prompt", "add", "Who needs you?", "--category", "Others")
    let next = try await library.holdfast("faith", "entry", "prompt")
    #expect(next.output == "\(thanks.id.prefix(8))  What are you thankful for?\n")
    let entry = try await library.faith(
      "entry", "write", "--title", "Thanks", "--prompt", thanks.id)
    let used = try await library.faith("prompt", "show", thanks.id)
    #expect(used.entryId == entry.id && used.usedDate != nil)
    #expect(try await library.faith("prompt", "next").prompt == "Who needs you?")
    let list = try await library.holdfast("faith", "prompt", "list")
    let first = list.lines.dropFirst().first ?? ""
    #expect(first.contains("not yet") && first.hasSuffix("  Others: Who needs you?"), "\(first)")
  }
}
