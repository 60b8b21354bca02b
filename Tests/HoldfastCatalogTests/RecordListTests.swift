import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A long list that is read in pages is the same")
struct RecordListTests {
  /// Recordings. In some orders, only their IDs tell many of them apart.
  private func catalog() throws -> Catalog {
    let catalog = try Catalog.inMemory()
    var numbers = SeededNumbers(seed: 3)
    try catalog.recordings.insert(
      (0..<2300).map { _ in
        try recording(
          type: Bool.random(using: &numbers) ? .audio : .video,
          at: noon.addingTimeInterval(Double(Int.random(in: 0..<3, using: &numbers))),
          duration: Double(Int.random(in: 1..<4, using: &numbers)),
          title: [nil, "a", "b"].randomElement(using: &numbers) ?? nil,
          playCount: .random(in: 0..<2, using: &numbers))
      })
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
          let found = try catalog.recordings.matching(query).map(\.id)
          #expect(found == Array(all.dropFirst(offset).prefix(limit ?? .max)), "\(query)")
        }
      }
    }
  }
}
