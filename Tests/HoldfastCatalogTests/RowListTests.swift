import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import Testing
import HoldfastTestSupport

@Suite("A long list is read in pages, and is the same")
struct RowListTests {
  /// Recordings and cravings of which many have the same place in an order but for their IDs.
  private func catalog() throws -> Catalog {
    let catalog = try Catalog.inMemory()
    var numbers = SeededNumbers(seed: 3)
    try catalog.insert(
      (0..<2300).map { _ in
        try recording(
          type: Bool.random(using: &numbers) ? .audio : .video,
          at: noon.addingTimeInterval(Double(Int.random(in: 0..<3, using: &numbers))),
          duration: Double(Int.random(in: 1..<4, using: &numbers)),
          title: [nil, "a", "b"].randomElement(using: &numbers) ?? nil,
          playCount: .random(in: 0..<2, using: &numbers))
      })
    for _ in 0..<2300 {
      try catalog.insert(
        try craving(
          at: noon.addingTimeInterval(Double(Int.random(in: 0..<900, using: &numbers))),
          intensity: .random(in: 1...10, using: &numbers),
          triggers: Bool.random(using: &numbers) ? [.sad] : [.bored]))
    }
    return catalog
  }

  private func ids(_ catalog: Catalog, _ sql: String) throws -> [UUID] {
    try catalog.strings(sql).compactMap(UUID.init(uuidString:))
  }

  @Test("Recordings, in each order and from any place on")
  func recordings() throws {
    let catalog = try catalog()
    let orders: [RecordingQuery.Sort: String] = [
      .recent: "timestamp DESC, id", .played: "playCount DESC, timestamp DESC, id",
      .longest: "duration DESC, id", .title: "title IS NULL, title, timestamp DESC, id",
    ]
    for (sort, order) in orders {
      for type in [nil, RecordingType.audio] {
        let condition = type.map { "type = '\($0.rawValue)'" } ?? "1"
        let all = try ids(catalog, "SELECT id FROM recording WHERE \(condition) ORDER BY \(order)")
        for (limit, offset) in [(nil, 0), (1700, 3), (1000, 1000), (nil, 1001), (5, 9000), (0, 0)] {
          let query = RecordingQuery(type: type, sort: sort, limit: limit, offset: offset)
          let found = try catalog.recordings(matching: query).map(\.id)
          #expect(found == Array(all.dropFirst(offset).prefix(limit ?? .max)), "\(query)")
        }
      }
    }
  }

  @Test("Cravings, by trigger as well, which is looked for in one period after the other")
  func cravings() throws {
    let catalog = try catalog()
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
          catalog, "SELECT id FROM craving WHERE \(conditions) ORDER BY timestamp DESC, id")
        for (limit, offset) in [(nil, 0), (500, 700), (1, 1100), (nil, 5000)] {
          let query = CravingQuery(
            since: since, minimum: minimum, trigger: trigger, limit: limit, offset: offset)
          let found = try catalog.cravings(matching: query).map(\.id)
          #expect(found == Array(all.dropFirst(offset).prefix(limit ?? .max)), "\(query)")
        }
        #expect(
          try catalog.summary(of: CravingQuery(since: since, minimum: minimum, trigger: trigger))
            .count == all.count)
      }
    }
  }

  @Test("Periods hold each entry once, and no more than they may but for those of one moment")
  func periods() throws {
    let catalog = try catalog()
    var periods = EntryPeriods(of: "craving", first: 100)
    var (counts, previous) = ([Int](), EntryPeriod.always.until)
    while let period = try catalog.read({ try periods.next($0) }) {
      #expect(period.until == previous)
      previous = period.since
      counts.append(
        try ids(
          catalog,
          "SELECT id FROM craving WHERE timestamp >= '\(period.since)' AND timestamp < '\(period.until)'"
        ).count)
      periods.count = 100
    }
    #expect(previous == "")
    #expect(counts.reduce(0, +) == 2300)
    #expect(counts.count > 10 && counts.allSatisfy { $0 < 120 }, "\(counts)")
  }
}
