import Foundation
@testable import HoldfastCatalog
import HoldfastModel
import Testing

@Suite("Figures")
struct FigureTests {
  /// The plan that the sqlite3 program has for a figure of 90 days, one step a line.
  private func plan(of figure: Figure, at path: String) throws -> [String] {
    try sqlite3(
      path,
      """
      .parameter init
      .parameter set :since "'2024-02-17 12:00:00.000'"
      .parameter set :begin "'2024-02-17 12:00:00.000'"
      .parameter set :until "'~'"
      .parameter set :now "'2024-05-17 12:00:00.000'"
      .parameter set :length "'+90 days'"
      EXPLAIN QUERY PLAN \(figure.sql);
      """
    ).split(separator: "\n").map { $0.drop { "|-` ".contains($0) }.description }
  }

  @Test(
    "Pages of all recordings walk the IDs, and sort nothing",
    arguments: [Catalog.pageOfThumbnails, Catalog.pageOfCandidates])
  func pages(sql: String) throws {
    let folder = try CatalogFolder()
    let steps = try sqlite3(try folder.catalog(), "EXPLAIN QUERY PLAN \(sql);")
    #expect(steps.contains("sqlite_autoindex_recording_1 (id>?)"), "\(steps)")
    #expect(!steps.contains("TEMP B-TREE"), "\(steps)")
  }

  @Test("A period's figures walk no more of a table than the period", arguments: Figure.allCases)
  func plans(figure: Figure) throws {
    let folder = try CatalogFolder()
    let steps = try plan(of: figure, at: try folder.catalog())
    try #require(steps.contains { $0.hasPrefix("SEARCH") || $0.hasPrefix("SCAN") })
    let tables = ["craving", "cravingTrigger", "usage", "recording"]
    for table in tables {
      let scans = steps.filter { $0 == "SCAN \(table)" || $0.hasPrefix("SCAN \(table) ") }
      switch figure {
      // Every recording, and every trigger, is what these two count.
      case .recordings where table == "recording":
        #expect(scans.allSatisfy { $0.contains("USING COVERING INDEX") })
      case .triggersOfAll where table == "cravingTrigger": continue
      default: #expect(scans.isEmpty, "\(scans)")
      }
    }
    // "next" is usage, too.
    for table in ["craving", "usage", "next"] {
      for step in steps where step.hasPrefix("SEARCH \(table) ") {
        #expect(step.contains("USING COVERING INDEX"), "\(step)")
      }
    }
  }
}
