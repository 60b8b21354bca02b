import Foundation
import Holdfast
import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: exports and erasing", .temporaryFolder)
struct FaithExchangeTests {
  /// A library with every kind of record, each with all that it can have.
  private func filled() throws -> Library {
    let library = try openFaith()
    var full = entry(
      "Gooseberry title", content: "gooseberry content", tags: ["Gooseberrytag"],
      mood: "gooseberrymood", isPrivate: true)
    full.location = "gooseberry bush"
    full.photoURLs = ["gooseberry.jpg"]
    full.drawingData = Data("gooseberry drawing".utf8)
    try library.faith.write(full)
    let prayer = prayer("Gooseberry prayer")
    try library.faith.add(prayer)
    try library.faith.answer(id: prayer.id, notes: "gooseberry answer")
    try library.faith.add(
      MoodEntry(mood: "Gooseberry", date: noon, dateOffset: 0, notes: "berry", createdAt: noon))
    let prompt = JournalPrompt(prompt: "Gooseberry?", category: "berries", createdAt: noon)
    try library.faith.add(prompt)
    try library.faith.usePrompt(id: prompt.id, for: full.id)
    return library
  }

  private func words(_ name: String = "library") async throws -> String {
    try await Command.run(
      "grep", ["-aic", "gooseberr", "\(TemporaryFolder.current)/\(name)/catalog.sqlite"]
    ).output.trimmingCharacters(in: .newlines)
  }

  @Test("15: An export, an erasure and an import give equal documents, and nothing is left between")
  func roundTrip() async throws {
    let library = try filled()
    let before = try library.document()
    #expect(try await words() != "0")
    try library.eraseEverything()
    #expect(try await words() == "0")
    let report = try library.importData(ExportDocument(json: before, journals: [.faith]))
    #expect(report.items.isEmpty, "\(report.items)")
    #expect(try library.document() == before)
    let again = try library.importData(ExportDocument(json: before, journals: [.faith]))
    #expect(again.changes.isEmpty)
    for name in ["drawingData", "photoURLs", "isPrivate", "answerNotes", "usedDate"] {
      #expect(String(decoding: before, as: UTF8.self).contains("\"\(name)\""), "\(name)")
    }
  }

  @Test("15: After one deletion, that record's words are gone from the catalog's file")
  func deletion() async throws {
    let library = try filled()
    for entry in try library.faith.entries(matching: .init(includesPrivate: true)) {
      try library.faith.delete(JournalEntry.self, id: entry.id)
    }
    for prayer in try library.faith.prayers() {
      try library.faith.delete(PrayerRequest.self, id: prayer.id)
    }
    for mood in try library.faith.moods() {
      try library.faith.delete(MoodEntry.self, id: mood.id)
    }
    for prompt in try library.faith.prompts() {
      try library.faith.delete(JournalPrompt.self, id: prompt.id)
    }
    _ = try library.compactIfSmall()
    #expect(try await words() == "0")
  }

  @Test("An import refuses what breaks a rule, and takes the rest")
  func refusals() throws {
    let library = try filled()
    var document = try #require(
      try JSONSerialization.jsonObject(with: library.document()) as? [String: Any])
    var entries = try #require(document["journalEntries"] as? [[String: Any]])
    entries[0]["title"] = "  "
    entries[0]["modifiedAt"] = "2999-01-01T00:00:00.000Z"
    document["journalEntries"] = entries
    var prayers = try #require(document["prayers"] as? [[String: Any]])
    prayers[0]["status"] = "open"
    document["prayers"] = prayers
    let other = try openFaith("other")
    let report = try other.importData(
      ExportDocument(
        json: JSONSerialization.data(withJSONObject: document), journals: [.faith]))
    let reasons = report.items.map { item in
      if case .refused(_, _, _, let reason) = item { reason } else { "" }
    }
    #expect(reasons.count == 2, "\(reasons)")
    #expect(reasons.contains { $0.contains("the title is blank") })
    #expect(reasons.contains { $0.contains("did you mean") }, "\(reasons)")
    // The prompt came without its entry.
    #expect(try other.faith.prompts().map(\.entryID) == [nil])
    #expect(try other.faith.moods().count == 1)
  }
}
