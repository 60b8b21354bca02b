import Foundation
import Holdfast
@testable import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: moods and prompts", .temporaryFolder)
struct MoodAndPromptTests {
  private func mood(_ word: String, daysAgo days: Double = 0) -> MoodEntry {
    MoodEntry(
      mood: word, date: noon.addingTimeInterval(-days * 86_400), dateOffset: 0, createdAt: noon)
  }

  @Test("Moods are compared in any case, and counted by day, also those of entries")
  func moods() async throws {
    let library = try openFaith()
    for record in [mood(" Sad "), mood("SAD", daysAgo: 6), mood("Joyful", daysAgo: 7)] {
      try library.add(record)
    }
    try library.faith.write(entry(mood: "sad"))
    let today = try Day("2025-11-03")
    #expect(
      try library.faith.moodCounts(from: today.adding(days: -6), through: today)
        == [MoodCount(mood: "SAD", count: 3)])
    #expect(try library.faith.moodCounts().map(\.count) == [3, 1])
    #expect(try library.faith.moods(matching: .init(mood: "sad")).map(\.mood) == ["Sad", "SAD"])
    #expect(try library.faith.moods(matching: .init(limit: 1, offset: 2)).map(\.mood) == ["Joyful"])
    for word in ["", " ", String(repeating: "x", count: 41)] {
      expectRule("the mood") { try library.add(mood(word)) }
    }
    for word in ["''", "' sad'", "printf('%.41c', 'x')"] {
      #expect(try await sqliteRefuses("UPDATE moodEntry SET mood = \(word)"))
    }
    expectRule("notes have 5001") {
      var long = mood("Sad")
      long.notes = String(repeating: "x", count: 5001)
      try library.add(long)
    }
    let statistics = try library.faith.statistics(of: .everything, today: today)
    #expect(statistics.entries == 1 && statistics.moods.map(\.count) == [3, 1])
  }

  @Test("11: Unused prompts come first, oldest first; then the least recently used")
  func prompts() throws {
    let library = try openFaith()
    #expect(try library.faith.nextPrompt() == nil)
    let prompts = (0..<3).map { number in
      JournalPrompt(
        prompt: "prompt \(number)", category: number == 1 ? "Thanks" : "",
        createdAt: noon.addingTimeInterval(Double(number)))
    }
    for prompt in prompts.reversed() { try library.add(prompt) }
    func next(_ category: String? = nil) throws -> String? {
      try library.faith.nextPrompt(in: category)?.prompt
    }
    #expect(try next() == "prompt 0")
    #expect(try next("thanks") == "prompt 1")
    #expect(try next("none") == nil)
    for (number, minutes) in [(0, 30), (2, 10), (1, 20)] {
      let used = try library.faith.usePrompt(
        id: prompts[number].id, now: noon.addingTimeInterval(Double(minutes) * 60))
      #expect(used.isUsed)
    }
    #expect(try next() == "prompt 2")
    #expect(try library.faith.prompts().map(\.prompt) == ["prompt 2", "prompt 1", "prompt 0"])
  }

  @Test("11: A prompt names the entry that was written by it, until that is deleted")
  func promptedEntry() throws {
    let library = try openFaith()
    let prompt = JournalPrompt(prompt: "What are you thankful for?", createdAt: noon)
    try library.add(prompt)
    let written = entry()
    try library.faith.write(written, promptedBy: prompt.id)
    #expect(try library.record(JournalPrompt.self, id: prompt.id)?.entryID == written.id)
    // Neither happens without the other.
    expectRule("there is no prompt") {
      try library.faith.write(entry("other"), promptedBy: UUID())
    }
    #expect(try library.faith.entries().count == 1)
    expectRule("there is no journal entry") {
      try library.faith.usePrompt(id: prompt.id, for: UUID())
    }
    try library.delete(JournalEntry.self, id: written.id)
    let after = try #require(try library.record(JournalPrompt.self, id: prompt.id))
    #expect(after.entryID == nil && after.isUsed)
  }
}
