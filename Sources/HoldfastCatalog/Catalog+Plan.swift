internal import GRDB
internal import HoldfastModel

/// How SQLite goes about the queries, for tests of the indexes.
extension Catalog {
  /// The steps by which SQLite answers a page of `query`.
  func plan(of query: RecordingQuery) throws(CatalogError) -> [String] {
    try plan(of: query.page)
  }

  /// The steps by which SQLite answers a page of `query`.
  func plan(of query: CravingQuery) throws(CatalogError) -> [String] { try plan(of: query.page) }

  /// The steps by which SQLite answers a page of `query`.
  func plan(of query: UsageQuery) throws(CatalogError) -> [String] { try plan(of: query.page) }

  /// - SeeAlso: https://sqlite.org/eqp.html
  private func plan<R>(of request: QueryInterfaceRequest<R>) throws(CatalogError) -> [String] {
    try read { db in
      let statement = try request.makePreparedRequest(db, forSingleResult: false).statement
      return try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN \(statement.sql)", arguments: statement.arguments
      ).map { $0["detail"] }
    }
  }
}
