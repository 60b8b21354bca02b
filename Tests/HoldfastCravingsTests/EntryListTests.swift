import Foundation
import Holdfast
import HoldfastCravings
import HoldfastTestSupport
import Testing

@Suite("A long list of cravings that is read in pages is the same", .temporaryFolder)
struct EntryListTests {
  /// A library with cravings. In the list's order, only their IDs tell many of them apart.
  private func library() throws -> Library {
    let library = try openLibrary()
    var numbers = SeededNumbers(seed: 3)
    try library.insert(
      (0..<2300).map { _ in
        try craving(
          at: noon.addingTimeInterval(Double(Int.random(in: 0..<900, using: &numbers))),
          intensity: .random(in: 1...10, using: &numbers),
          triggers: Bool.random(using: &numbers) ? [.sad] : [.bored])
      })
    return library
  }

  private func ids(_ library: Library, _ sql: String) throws -> [UUID] {
    try library.read { db in try db.rows(sql) }.compactMap(\.["id"].text)
      .compactMap(UUID.init(uuidString:))
  }

  @Test("By trigger as well, which is searched for in one period after the other")
  func cravings() throws {
    let library = try library()
    let since = noon.addingTimeInterval(100)
    for trigger in [nil, Trigger.sad] {
      for minimum in [nil, try Intensity(4)] {
        let conditions = [
          trigger.map {
            "id IN (SELECT cravingId FROM cravingTrigger WHERE trigger = '\($0.rawValue)')"
          },
          minimum.map { "intensity >= \($0.value)" }, "timestamp >= '2024-05-17 12:01:40.000'",
        ].compactMap(\.self).joined(separator: " AND ")
        let all = try ids(
          library, "SELECT id FROM craving WHERE \(conditions) ORDER BY timestamp DESC, id")
        for (limit, offset) in [(nil, 0), (500, 700), (1, 1100), (nil, 5000)] {
          let query = CravingQuery(
            since: since, minimum: minimum, trigger: trigger, limit: limit, offset: offset)
          let found = try library.cravings(matching: query).map(\.id)
          #expect(found == Array(all.dropFirst(offset).prefix(limit ?? .max)), "\(query)")
        }
        #expect(
          try library.summary(of: CravingQuery(since: since, minimum: minimum, trigger: trigger))
            .count == all.count)
      }
    }
  }

  @Test("Periods hold each entry once, and exceed their size only for entries of one moment")
  func periods() throws {
    let library = try library()
    var (counts, previous) = ([Int](), "~")
    while !previous.isEmpty {
      let until = SQLValue.text(previous).date
      let period = try #require(
        try library.read { db in
          var periods = RecordPeriods(of: "craving", until: until, first: 100)
          return try periods.next(db)
        })
      #expect(period.until == previous)
      previous = period.since
      counts.append(
        try ids(
          library,
          "SELECT id FROM craving WHERE timestamp >= '\(period.since)' "
            + "AND timestamp < '\(period.until)'"
        ).count)
    }
    #expect(counts.reduce(0, +) == 2300)
    #expect(counts.count > 10 && counts.allSatisfy { $0 < 120 }, "\(counts)")
    let all = try library.read { db in try RecordPeriods(of: "craving", first: 100).all(db) }
    #expect(all.first?.until == "~" && all.last?.since == "")
    #expect(zip(all, all.dropFirst()).allSatisfy { $0.since == $1.until })
  }
}
