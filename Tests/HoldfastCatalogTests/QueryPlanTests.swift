@testable import HoldfastCatalog
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Lists of recordings are walked in the order of an index")
struct QueryPlanTests {
  @Test("All and by type, in each order", arguments: RecordingQuery.Sort.allCases)
  func recordings(sort: RecordingQuery.Sort) throws {
    let catalog = try Catalog.inMemory()
    let index =
      switch sort {
      case .recent: "recording_recent"
      case .played: "recording_played"
      case .longest: "recording_longest"
      case .title: "recording_title"
      }
    func expectWalk(_ query: RecordingQuery, _ index: String) throws {
      try catalog.records.read { db in
        try PlannedDatabase.expectWalk(of: query.list(spoken: []), by: index, in: db)
      }
    }
    var query = RecordingQuery(sort: sort)
    try expectWalk(query, index)
    for type in RecordingType.allCases {
      query.type = type
      try expectWalk(query, sort == .recent ? "recording_type" : index)
      query.type = nil
    }
    query.since = noon
    query.until = noon
    try expectWalk(query, index)
    query.purpose = .milestone
    try expectWalk(query, sort == .recent ? "recording_purpose" : index)
    query.type = .audio
    try expectWalk(query, sort == .recent ? "recording_" : index)
    query.search = "river"
    try expectWalk(query, sort == .recent ? "recording_" : index)
  }

  @Test(
    "Pages of all recordings walk the IDs, and sort nothing",
    arguments: [ThumbnailTable.page, MergeCandidate.page])
  func pages(sql: String) throws {
    let folder = try CatalogFolder()
    let steps = try sqlite3(try folder.catalog(), "EXPLAIN QUERY PLAN \(sql);")
    #expect(steps.contains("sqlite_autoindex_recording_1 (id>?)"), "\(steps)")
    #expect(!steps.contains("TEMP B-TREE"), "\(steps)")
  }
}
