import Foundation
import Holdfast
import HoldfastCravings
import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: exports and erasing", .temporaryFolder)
struct FaithExchangeTests {
  /// A library with every kind of record, each with every field.
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
    try library.add(prayer)
    try library.faith.answer(id: prayer.id, notes: "gooseberry answer")
    try library.add(
      MoodEntry(mood: "Gooseberry", date: noon, dateOffset: 0, notes: "berry", createdAt: noon))
    let prompt = JournalPrompt(prompt: "Gooseberry?", category: "berries", createdAt: noon)
    try library.add(prompt)
    try library.faith.usePrompt(id: prompt.id, for: full.id)
    try fillStudy(library)
    try fillSessions(library)
    return library
  }

  private func fillStudy(_ library: Library) throws {
    let day = try Day("2025-11-03")
    let verse = BibleVerseOfTheDay(
      reference: "Gooseberry 1:1", text: "gooseberry", translation: "GOOSEBERRY", date: day,
      createdAt: noon)
    try library.add(verse)
    try library.faith.bookmark(verse: verse.id, notes: "gooseberry note", now: noon)
    try library.add(
      Devotional(
        title: "Gooseberry", scripture: "gooseberry 2", content: "gooseberry",
        author: "Gooseberry", date: day, category: "gooseberry", createdAt: noon))
    try library.add(
      BibleStudyTopic(
        title: "Gooseberry", details: "gooseberry", verses: ["gooseberry 1", "gooseberry 1"],
        notes: "gooseberry", createdAt: noon))
    let plan = ReadingPlan(
      title: "Gooseberry", details: "gooseberry", startDate: day, endDate: day.adding(days: 2),
      dailyReadings: ["gooseberry 1", "gooseberry 1"], createdAt: noon)
    try library.add(plan)
    try library.faith.read(1, of: plan.id)
  }

  private func fillSessions(_ library: Library) throws {
    let session = LiveSession(
      title: "Gooseberry", details: "gooseberry", hostID: "gooseberry", startTime: noon,
      category: "gooseberry", tags: ["gooseberry"], createdAt: noon)
    try library.faith.add(session)
    try library.faith.say(
      ChatMessage(
        sessionID: session.id, userID: "gooseberry", userName: "Gooseberry",
        message: "gooseberry line", timestamp: noon, createdAt: noon))
    let invitation = SessionInvitation(
      sessionID: session.id, inviterID: "gooseberry", inviteeID: "gooseberry 2", createdAt: noon)
    try library.faith.invite(invitation)
    try library.faith.accept(invitation.id)
    try library.add(
      Subscription(
        userID: "gooseberry", planType: .premium, startDate: try Day("2025-11-03"),
        endDate: try Day("2025-12-03"), autoRenew: true, createdAt: noon))
    try library.faith.setProfile { profile in
      profile.name = "Gooseberry"
      profile.email = "gooseberry@gooseberry"
      profile.profileImageURL = "gooseberry.jpg"
      profile[preference: "gooseberry"] = "gooseberry"
    }
  }

  /// Deletes every record of a kind.
  private func deleteAll<Record: JournalRecord>(_ type: Record.Type, from library: Library) throws {
    for record in try library.records(type) { try library.delete(type, id: record.id) }
  }

  private func words(_ name: String = "library") async throws -> String {
    try await Command.run(
      "grep", ["-aic", "gooseberr", "\(TemporaryFolder.current)/\(name)/catalog.sqlite"]
    ).output.trimmingCharacters(in: .newlines)
  }

  @Test(
    "Two libraries that were edited apart become the same, whichever way they are merged",
    arguments: (0..<UInt64(Extent.choose(sample: 4, whole: 70))).map { Extent.seed &+ $0 })
  func bothWays(seed: UInt64) async throws {
    try await MergedJournals(try filled(), .faith).expectAlike(seed: seed)
  }

  @Test("15: An export, an erasure and an import give equal documents, with no trace in between")
  func roundTrip() async throws {
    let library = try filled()
    let before = try library.document()
    #expect(try await words() != "0")
    try library.eraseEverything()
    #expect(try await words() == "0")
    let report = try library.importData(
      ExportDocument(json: before, journals: [.cravings, .faith]))
    #expect(report.items.isEmpty, "\(report.items)")
    #expect(try library.document() == before)
    let again = try library.importData(ExportDocument(json: before, journals: [.cravings, .faith]))
    #expect(again.changes.isEmpty)
    for name in ["drawingData", "photoURLs", "isPrivate", "answerNotes", "usedDate"] {
      #expect(String(decoding: before, as: UTF8.self).contains("\"\(name)\""), "\(name)")
    }
  }

  @Test("15: After one deletion, that record's words are gone from the catalog's file")
  func deletion() async throws {
    let library = try filled()
    for type in Journal.faith.kinds { try deleteAll(type, from: library) }
    _ = try library.compactIfSmall()
    #expect(try await words() == "0")
  }

  @Test("An import refuses records that break a rule, and imports the rest")
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
        json: JSONSerialization.data(withJSONObject: document), journals: [.cravings, .faith]))
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
