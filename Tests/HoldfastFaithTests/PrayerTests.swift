import Foundation
import Holdfast
import HoldfastCravings
@testable import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: prayers", .temporaryFolder)
struct PrayerTests {
  @Test(
    "3: Of each status with and without an answer, only the allowed ones pass",
    arguments: [
      ("Active", false, true), ("Active", true, false), ("Answered", false, false),
      ("Answered", true, true), ("Archived", false, true), ("Archived", true, true),
    ])
  func states(status: String, hasAnswer: Bool, isAllowed: Bool) async throws {
    let library = try openFaith()
    let prayer = prayer()
    try library.add(prayer)
    let answer = hasAnswer ? "'2025-11-04 12:00:00.000'" : "NULL"
    let sql = "UPDATE prayer SET status = '\(status)', answerDate = \(answer)"
    if isAllowed {
      _ = try await sqlite(sql)
    } else {
      #expect(try await sqliteRefuses(sql))
    }
    var object = try #require(
      try JSONSerialization.jsonObject(with: JSONFormat.data(prayer)) as? [String: Any])
    object["status"] = status
    if hasAnswer { object["answerDate"] = "2025-11-04T12:00:00.000Z" }
    let changed = try JSONFormat.decoder.decode(
      PrayerRequest.self, from: JSONSerialization.data(withJSONObject: object))
    #expect(((try? changed.validate()) != nil) == isAllowed)
    #expect(changed.isAnswered == hasAnswer)
  }

  @Test("3: Archived and unarchived, a prayer keeps its answer until it is reopened")
  func moves() throws {
    let library = try openFaith()
    let prayer = prayer()
    try library.add(prayer)
    let later = noon.addingTimeInterval(3 * 86_400)
    let answered = try library.faith.answer(id: prayer.id, notes: "It rained.", now: later)
    #expect((answered.status, answered.answerDate) == (.answered, later))
    #expect(answered.isAnswered && answered.daysToAnswer == 3)
    expectRule("reopen it first") { try library.faith.answer(id: prayer.id) }
    #expect(try library.faith.archive(id: prayer.id).status == .archived)
    let back = try library.faith.unarchive(id: prayer.id)
    #expect((back.status, back.answerDate, back.answerNotes) == (.answered, later, "It rained."))
    // It is not archived, so nothing changes.
    #expect(try library.faith.unarchive(id: prayer.id) == back)
    let active = try library.faith.reopen(id: prayer.id)
    #expect((active.status, active.answerDate, active.answerNotes) == (.active, nil, nil))
    _ = try library.faith.archive(id: prayer.id)
    #expect(try library.faith.unarchive(id: prayer.id).status == .active)
  }

  @Test("3: An answer is neither in the future nor before the day of the prayer")
  func answerDate() async throws {
    let library = try openFaith()
    let prayer = prayer()
    try library.add(prayer)
    expectRule("in the future") {
      try library.faith.answer(id: prayer.id, at: noon.addingTimeInterval(1), now: noon)
    }
    expectRule("before the prayer's day, 2025-11-03") {
      try library.faith.answer(id: prayer.id, at: noon.addingTimeInterval(-43_201))
    }
    #expect(
      try await sqliteRefuses(
        "UPDATE prayer SET status = 'Answered', answerDate = '2025-11-02 23:59:59.999'",
        saying: "on the prayer's day"))
    // An earlier time on the same day is the same day.
    try library.faith.answer(id: prayer.id, at: noon.addingTimeInterval(-43_200))
    expectRule("answer") {
      try library.edit(PrayerRequest.self, id: prayer.id) {
        $0.date = noon.addingTimeInterval(86_400)
      }
    }
    #expect(
      try await sqliteRefuses(
        "UPDATE prayer SET answerDate = NULL, status = 'Active', answerNotes = 'x'"))
  }

  @Test("An imported prayer that is answered without a date gets that of its last change")
  func withoutDate() throws {
    let library = try openFaith()
    let prayer = prayer()
    try library.add(prayer)
    var document = try #require(
      try JSONSerialization.jsonObject(with: library.document()) as? [String: Any])
    var prayers = try #require(document["prayers"] as? [[String: Any]])
    prayers[0]["isAnswered"] = true
    prayers[0]["updatedAt"] = "2025-11-06T12:00:00.000Z"
    document["prayers"] = prayers
    let read = try ExportDocument(
      json: JSONSerialization.data(withJSONObject: document), journals: [.cravings, .faith])
    let other = try openFaith("other")
    let report = try other.importData(read)
    #expect(report.items.isEmpty && report.remarks.count == 1)
    #expect(report.remarks.first?.text.contains("answered without a date") == true)
    let taken = try #require(try other.record(PrayerRequest.self, id: prayer.id))
    #expect(taken.status == .answered && taken.daysToAnswer == 3)
    // It has a date now.
    #expect(try other.importData(read).remarks.isEmpty)
  }

  @Test("4: Statuses are stored with a capital, read in any case, and others are refused")
  func words() async throws {
    #expect(PrayerStatus.allCases.map(\.rawValue) == ["Active", "Answered", "Archived"])
    #expect(try PrayerStatus(named: "active") == .active)
    expectRule("did you mean") { _ = try PrayerStatus(named: "open") }
    let library = try openFaith()
    try library.add(prayer())
    #expect(try await sqlite("SELECT status FROM prayer") == "Active")
    #expect(try await sqliteRefuses("UPDATE prayer SET status = 'active'"))
  }

  @Test("5: Private prayers are in no list and no figure unless requested")
  func lists() throws {
    let library = try openFaith()
    #expect(try library.faith.answers().averageDays == nil)
    let (open, hidden) = (prayer(), prayer("For her", isPrivate: true))
    let old = prayer("For bread", at: noon.addingTimeInterval(-86_400))
    for prayer in [open, hidden, old] { try library.add(prayer) }
    func titles(_ query: FaithQuery<PrayerRequest>) throws -> [String] {
      try library.faith.prayers(matching: query).map(\.title)
    }
    #expect(try titles(.init()) == ["For rain", "For bread"])
    #expect(try Set(titles(.init(includesPrivate: true))).count == 3)
    #expect(try titles(.init(search: "WELL", includesPrivate: true)).count == 3)
    #expect(try titles(.init(search: "bread")) == ["For bread"])
    let later = noon.addingTimeInterval(2 * 86_400)
    for id in [open.id, hidden.id, old.id] { try library.faith.answer(id: id, now: later) }
    try library.faith.archive(id: old.id)
    #expect(try titles(.init(status: .answered)) == ["For rain"])
    #expect(try titles(.init(status: .archived, includesPrivate: true)) == ["For bread"])
    #expect(try library.faith.answers() == PrayerAnswers(count: 2, averageDays: 2.5))
    let day = try Day("2025-11-05")
    #expect(try library.faith.answers(from: day, through: day, includingPrivate: true).count == 3)
    #expect(try library.faith.answers(from: day.adding(days: 1)).count == 0)
  }
}
