import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import Testing

@Suite("Lists are walked in the order of an index")
struct QueryPlanTests {
  /// Nothing is sorted, and no table is read from one end to the other without an index.
  private func expectWalk(_ plan: [String], _ index: String, _ query: Any) {
    #expect(!plan.isEmpty)
    for step in plan {
      #expect(!step.contains("TEMP B-TREE"), "\(query): \(step)")
      let isScan = step.hasPrefix("SCAN") && !step.contains("USING")
      #expect(!isScan, "\(query): \(step)")
    }
    #expect(plan.first?.contains(index) == true, "\(query): \(plan)")
  }

  /// The ways to page a list: all of it, one page, and a later one.
  private static let pages: [(Int?, Int)] = [(nil, 0), (20, 0), (20, 40)]

  @Test("Recordings, all and by type, in each order", arguments: RecordingQuery.Sort.allCases)
  func recordings(sort: RecordingQuery.Sort) throws {
    let catalog = try Catalog.inMemory()
    let index =
      switch sort {
      case .recent: "recording_recent"
      case .played: "recording_played"
      case .longest: "recording_longest"
      case .title: "recording_title"
      }
    for (limit, offset) in Self.pages {
      var query = RecordingQuery(sort: sort, limit: limit, offset: offset)
      expectWalk(try catalog.plan(of: query), index, query)
      for type in RecordingType.allCases {
        query.type = type
        expectWalk(
          try catalog.plan(of: query), sort == .recent ? "recording_type" : index, query)
        query.type = nil
      }
      query.purpose = .milestone
      expectWalk(
        try catalog.plan(of: query), sort == .recent ? "recording_purpose" : index, query)
      query.type = .audio
      expectWalk(
        try catalog.plan(of: query), sort == .recent ? "recording_" : index, query)
      query.search = "river"
      expectWalk(
        try catalog.plan(of: query), sort == .recent ? "recording_" : index, query)
    }
  }

  @Test("Cravings")
  func cravings() throws {
    let catalog = try Catalog.inMemory()
    let since = noon
    for (limit, offset) in Self.pages {
      for (query, index) in [
        (CravingQuery(), "craving_recent"), (CravingQuery(since: since), "craving_recent"),
        (CravingQuery(minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(since: since, minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(trigger: .anxious), "craving"),
        (CravingQuery(since: since, trigger: .anxious), "craving"),
        (CravingQuery(since: since, minimum: try Intensity(7), trigger: .anxious), "craving"),
        (CravingQuery(recording: UUID()), "craving_recording"),
        (CravingQuery(since: since, recording: UUID()), "craving_recording"),
      ] {
        var query = query
        (query.limit, query.offset) = (limit, offset)
        expectWalk(try catalog.plan(of: query), index, query)
      }
    }
  }

  @Test("Usage")
  func usage() throws {
    let catalog = try Catalog.inMemory()
    let since = noon
    for (limit, offset) in Self.pages {
      for (query, index) in [
        (UsageQuery(), "usage_recent"), (UsageQuery(since: since), "usage_recent"),
        (UsageQuery(method: .vape), "usage_method"),
        (UsageQuery(since: since, method: .vape), "usage_method"),
        (UsageQuery(trigger: .anxious), "usage"),
        (UsageQuery(since: since, trigger: .anxious), "usage"),
        (UsageQuery(since: since, method: .vape, trigger: .anxious), "usage"),
      ] {
        var query = query
        (query.limit, query.offset) = (limit, offset)
        expectWalk(try catalog.plan(of: query), index, query)
      }
    }
  }
}
