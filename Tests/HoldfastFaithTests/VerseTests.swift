import Foundation
import Holdfast
import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: verses and bookmarks", .temporaryFolder)
struct VerseTests {
  private func verse(
    _ day: String, _ reference: String = "Psalm 23:1", _ translation: String = "KJV"
  ) throws -> BibleVerseOfTheDay {
    BibleVerseOfTheDay(
      reference: reference, text: "The LORD is my shepherd.", translation: translation,
      date: try Day(day), createdAt: noon)
  }

  @Test("6: A day has one verse; the second is refused by the model and by the schema")
  func oneADay() async throws {
    let library = try openFaith()
    let first = try verse("2025-11-03")
    try library.add(first)
    let another = try verse("2025-11-03", "John 1:1")
    expectRule("2025-11-03 has a verse already, Psalm 23:1") { try library.add(another) }
    #expect(throws: HoldfastError.self) { try library.add(another) }
    #expect(
      try await sqliteRefuses(
        """
        INSERT INTO verseOfDay SELECT replace(id, substr(id, 1, 8), '00000000'), day, reference,
          text, translation, createdAt, modifiedAt FROM verseOfDay
        """, saying: "verseOfDay.day"))
    #expect(try library.faith.verse(of: Day("2025-11-03")) == first)
    #expect(try library.faith.verse(of: Day("2025-11-04")) == nil)
    for sql in ["day = '2025-02-30'", "reference = ' '", "text = ''"] {
      #expect(try await sqliteRefuses("UPDATE verseOfDay SET \(sql)"), "\(sql)")
    }
    expectRule("the reference is blank") { try library.add(verse("2025-11-05", " ")) }
  }

  @Test("6: A bookmark is of every verse of its reference and translation, in any case")
  func bookmarks() async throws {
    let library = try openFaith()
    let first = try verse("2025-11-03")
    let same = try verse("2025-11-04", "PSALM 23:1", "kjv")
    let other = try verse("2025-11-05", "Psalm 23:1", "ASV")
    for verse in [first, same, other] { try library.add(verse) }
    func marked() throws -> [Bool] {
      try [first, same, other].map { try library.faith.isBookmarked($0) }
    }
    #expect(try marked() == [false, false, false])
    let bookmark = try library.faith.bookmark(verse: first.id, notes: "by heart", now: noon)
    #expect(bookmark.text == first.text && bookmark.translation == "KJV")
    #expect(try marked() == [true, true, false])
    expectRule("is bookmarked already") { try library.faith.bookmark(verse: same.id) }
    expectRule("is bookmarked already") {
      try library.add(
        BookmarkedVerse(reference: "psalm 23:1 ", text: "x", translation: "KJV", createdAt: noon))
    }
    let asv = try library.faith.bookmark(verse: other.id, now: noon.addingTimeInterval(1))
    #expect(try library.faith.bookmarks().map(\.id) == [asv.id, bookmark.id])
    expectRule("is bookmarked already") {
      try library.edit(BookmarkedVerse.self, id: asv.id) { $0.translation = "kjv" }
    }
    #expect(
      try await sqliteRefuses("UPDATE bookmarkedVerse SET foldedTranslation = 'kjv'"))
    // The flag belongs to the words, not to the bookmarked row.
    try library.faith.unbookmark(verse: same.id)
    #expect(try marked() == [false, false, true])
    expectRule("is not bookmarked") { try library.faith.unbookmark(verse: first.id) }
    try library.delete(BibleVerseOfTheDay.self, id: other.id)
    #expect(try library.faith.bookmarks().count == 1)
  }
}

@Suite("Faith: plans, topics and devotionals", .temporaryFolder)
struct PlanTests {
  private func plan(
    _ readings: [String], from start: String = "2025-11-03", through end: String = "2025-11-05"
  ) throws -> ReadingPlan {
    ReadingPlan(
      title: "Advent", startDate: try Day(start), endDate: try Day(end), dailyReadings: readings,
      createdAt: noon)
  }

  @Test("7: Each of two equal readings is marked by itself, and the progress follows")
  func progress() throws {
    let library = try openFaith()
    let plan = try plan(["Luke 1", "Luke 2", "Luke 1"])
    try library.add(plan)
    #expect(plan.progress == 0 && !plan.isDone)
    let one = try library.faith.read(2, of: plan.id, now: noon)
    #expect(one.dailyReadings.map(\.doneAt) == [nil, nil, noon])
    #expect(one.progress == 1.0 / 3)
    #expect(one == (try library.record(ReadingPlan.self, id: plan.id)))
    // Read already: the moment stays.
    #expect(try library.faith.read(2, of: plan.id) == one)
    #expect(try library.faith.read(0, of: plan.id).progress == 2.0 / 3)
    let all = try library.faith.read(1, of: plan.id)
    #expect(all.progress == 1 && all.isDone)
    #expect(try library.faith.read(1, of: plan.id, false).doneCount == 2)
    for position in [-1, 3] {
      expectRule("the plan has 3 readings") { try library.faith.read(position, of: plan.id) }
    }
    let empty = try self.plan([])
    try library.add(empty)
    #expect(empty.progress == nil && !empty.isDone)
    #expect(try library.record(ReadingPlan.self, id: empty.id) == empty)
  }

  @Test("7: The readings left are those due by the day, and never fewer than 0")
  func leftToRead() throws {
    var plan = try plan(["a", "b", "c"])
    let day = try Day("2025-11-03")
    let expected = [(-1, 0), (0, 1), (1, 2), (2, 3), (9, 3)]
    for (days, left) in expected {
      #expect(plan.leftToRead(by: day.adding(days: days)) == left, "\(days)")
    }
    plan.dailyReadings[2].doneAt = noon
    #expect(plan.leftToRead(by: day) == 0 && plan.leftToRead(by: day.adding(days: 1)) == 1)
    #expect(plan.day(at: 2).description == "2025-11-05")
  }

  @Test("7: Four readings for three days, and an end before the start, are refused twice")
  func rules() async throws {
    let library = try openFaith()
    expectRule("4 readings for 3 days") { try library.add(self.plan(["a", "b", "c", "d"])) }
    expectRule("ends on 2025-11-02, before its start") {
      try library.add(self.plan([], through: "2025-11-02"))
    }
    let plan = try plan(["a", "b"])
    try library.add(plan)
    #expect(try await sqliteRefuses("UPDATE readingPlan SET endDay = '2025-11-02'"))
    let insert = "INSERT INTO readingPlanDay SELECT id, 3, 'd', NULL FROM readingPlan"
    #expect(try await sqliteRefuses(insert, saying: "one reading for each day"))
    expectRule("a reading is blank") {
      try library.edit(ReadingPlan.self, id: plan.id) { $0.dailyReadings[0].reading = " " }
    }
    // Both at once: the end moves, and so do the readings.
    try library.edit(ReadingPlan.self, id: plan.id) {
      $0.endDate = $0.startDate
      $0.dailyReadings.removeLast()
    }
    #expect(try await sqlite("SELECT count(*) FROM readingPlanDay") == "1")
  }

  @Test("7: Another program's progress marks a reading by its text, its position or its day")
  func otherProgress() throws {
    let json = """
      {"id":"\(UUID().uuidString)","title":"Plan","description":"","startDate":"2025-11-03",
      "endDate":"2025-11-06","dailyReadings":["Luke 1","Luke 1","2","Luke 3"],
      "progress":{"Luke 1":true,"2":true,"2025-11-06":true,"1":false},
      "createdAt":"2025-11-03T12:00:00.000Z"}
      """
    let plan = try JSONFormat.decoder.decode(ReadingPlan.self, from: Data(json.utf8))
    // "2" is the text of a reading before it is a position.
    #expect(plan.dailyReadings.map { $0.doneAt != nil } == [true, false, true, true])
    let unknown = json.replacing("\"1\":false", with: "\"9\":true,\"Mark 1\":false")
    let listed = try JSONFormat.decoder.decode(ReadingPlan.self, from: Data(unknown.utf8))
    #expect(
      listed.importRemark
        == #"its progress names readings that the plan does not have: "9", "Mark 1""#)
    #expect(plan.importRemark == nil && listed == plan)
  }

  @Test("Topics keep their verses in order, with repeats; devotionals are completed once")
  func topicsAndDevotionals() async throws {
    let library = try openFaith()
    var topic = BibleStudyTopic(
      title: "Shepherds", details: "In both", verses: ["Psalm 23:1", "John 10:11", "Psalm 23:1"],
      notes: "more", createdAt: noon)
    try library.add(topic)
    #expect(try library.faith.studyTopics() == [topic])
    #expect(try await sqlite("SELECT details FROM studyTopic") == "In both")
    #expect(
      try #require(String(data: JSONFormat.data(topic), encoding: .utf8)).contains(
        "\"description\":\"In both\""))
    topic.verses = Array(repeating: "x", count: 1001)
    expectRule("1001 verses") { try topic.validate() }
    let devotional = Devotional(title: "Rest", date: try Day("2025-11-03"), createdAt: noon)
    try library.add(devotional)
    #expect(try library.faith.devotionals(open: true) == [devotional])
    let done = try library.faith.complete(devotional: devotional.id, now: noon)
    #expect(done.isCompleted && done.completedAt == noon)
    #expect(try library.faith.complete(devotional: devotional.id) == done)
    #expect(try library.faith.devotionals(open: true).isEmpty)
    #expect(try library.faith.complete(devotional: devotional.id, false).completedAt == nil)
  }
}
