import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import Testing

@Suite("Lists are walked in the order of an index")
struct QueryPlanTests {
  /// Nothing is sorted, and no table is read from one end to the other without an index.
  private func expectWalk(_ plans: [[String]], _ index: String, _ query: Any) {
    #expect(!plans.isEmpty)
    for plan in plans {
      for step in plan {
        #expect(!step.contains("TEMP B-TREE"), "\(query): \(step)")
        let isScan = step.hasPrefix("SCAN") && !step.contains("USING")
        #expect(!isScan, "\(query): \(step)")
      }
    }
    // The others are for rows of the very same moment.
    #expect(plans.last?.first?.contains(index) == true, "\(query): \(plans)")
  }

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
    for isLater in [false, true] {
      var query = RecordingQuery(sort: sort)
      expectWalk(try catalog.plans(of: query, isLater: isLater), index, query)
      for type in RecordingType.allCases {
        query.type = type
        expectWalk(
          try catalog.plans(of: query, isLater: isLater),
          sort == .recent ? "recording_type" : index, query)
        query.type = nil
      }
      query.since = noon
      query.until = noon
      expectWalk(try catalog.plans(of: query, isLater: isLater), index, query)
      query.purpose = .milestone
      expectWalk(
        try catalog.plans(of: query, isLater: isLater),
        sort == .recent ? "recording_purpose" : index, query)
      query.type = .audio
      expectWalk(
        try catalog.plans(of: query, isLater: isLater),
        sort == .recent ? "recording_" : index, query)
      query.search = "river"
      expectWalk(
        try catalog.plans(of: query, isLater: isLater),
        sort == .recent ? "recording_" : index, query)
    }
  }

  @Test("Cravings")
  func cravings() throws {
    let catalog = try Catalog.inMemory()
    let since = noon
    for isLater in [false, true] {
      for (query, index) in [
        (CravingQuery(), "craving_recent"), (CravingQuery(since: since), "craving_recent"),
        (CravingQuery(until: since), "craving_recent"),
        (CravingQuery(since: since, until: since), "craving_recent"),
        (CravingQuery(since: since, until: since, trigger: .anxious), "craving"),
        (CravingQuery(minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(since: since, minimum: try Intensity(7)), "craving_recent"),
        (CravingQuery(trigger: .anxious), "craving"),
        (CravingQuery(since: since, trigger: .anxious), "craving"),
        (CravingQuery(since: since, minimum: try Intensity(7), trigger: .anxious), "craving"),
        (CravingQuery(recording: UUID()), "craving_recording"),
        (CravingQuery(since: since, recording: UUID()), "craving_recording"),
      ] {
        expectWalk(try catalog.plans(of: query, isLater: isLater), index, query)
      }
    }
  }

  @Test("Usage")
  func usage() throws {
    let catalog = try Catalog.inMemory()
    let since = noon
    for isLater in [false, true] {
      for (query, index) in [
        (UsageQuery(), "usage_recent"), (UsageQuery(since: since), "usage_recent"),
        (UsageQuery(since: since, until: since), "usage_recent"),
        (UsageQuery(method: .vape), "usage_method"),
        (UsageQuery(since: since, method: .vape), "usage_method"),
        (UsageQuery(trigger: .anxious), "usage"),
        (UsageQuery(since: since, trigger: .anxious), "usage"),
        (UsageQuery(since: since, method: .vape, trigger: .anxious), "usage"),
      ] {
        expectWalk(try catalog.plans(of: query, isLater: isLater), index, query)
      }
    }
  }

  @Test("Messages, in each order", arguments: MessageQuery.Sort.allCases)
  func messages(sort: MessageQuery.Sort) throws {
    let catalog = try Catalog.inMemory()
    for category in [nil, MessageCategory.urge] {
      for (isCustom, isActive) in [(nil, nil), (nil, true), (true, nil), (false, false)] {
        let query = MessageQuery(
          category: category, isCustom: isCustom, isActive: isActive, sort: sort)
        let index = sort == .shown && category != nil ? "message_category" : "message_\(sort)"
        expectWalk([try catalog.plan(of: query)], index, query)
      }
    }
  }
}
