import GRDB
@testable import HoldfastCatalog
import HoldfastModel

/// SQLite's plans for the queries.
extension Catalog {
  /// Returns the steps by which SQLite finds the rows of `query`: one plan for each statement of a
  /// page.
  ///
  /// - Parameter isLater: Whether the page follows another one.
  func plans(of query: RecordingQuery, isLater: Bool) throws(CatalogError) -> [[String]] {
    try plans(of: query.list, isLater)
  }

  /// - SeeAlso: ``plans(of:isLater:)-(RecordingQuery,_)``
  func plans(of query: CravingQuery, isLater: Bool) throws(CatalogError) -> [[String]] {
    try plans(of: query.list, isLater)
  }

  /// - SeeAlso: ``plans(of:isLater:)-(RecordingQuery,_)``
  func plans(of query: UsageQuery, isLater: Bool) throws(CatalogError) -> [[String]] {
    try plans(of: query.list, isLater)
  }

  /// - SeeAlso: ``plans(of:isLater:)-(RecordingQuery,_)``
  func plan(of query: MessageQuery) throws(CatalogError) -> [String] {
    try read { try Self.plan(of: query.request, $0) }
  }

  /// - SeeAlso: https://sqlite.org/eqp.html
  private func plans<R>(
    of list: RowList<R>, _ isLater: Bool
  ) throws(CatalogError) -> [[String]] {
    var list = list
    if list.periods != nil {
      list.matches = list.matches.filter(literal: EntryPeriod.always.condition)
    }
    let place = list.terms.map { _ in "".databaseValue }
    let requests = list.requests(after: isLater ? place : nil)
    return try read { db in
      try requests.map { try Self.plan(of: $0.limit(Catalog.longestPage), db) }
    }
  }

  private static func plan<R>(
    of request: QueryInterfaceRequest<R>, _ db: Database
  ) throws -> [String] {
    let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
    return try Row.fetchAll(
      db, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: statement.arguments
    ).map { $0["detail"] }
  }
}
