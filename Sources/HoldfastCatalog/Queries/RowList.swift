internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A list of rows in the order of an index, which is read step by step.
///
/// An open statement stops every writer from committing, and a writer that waits to commit stops
/// new readers. So a long list is read in pages. Each page begins after the last row of the page
/// before. If a row is changed meanwhile so that its place changes, it may be missing or be listed
/// twice. Every other row is listed once.
struct RowList<R: CatalogRow> {
  /// One expression of the order.
  struct Term {
    /// The SQL expression, in parentheses unless it is a column.
    var sql: String
    var isDescending = false

    var ordering: any SQLOrderingTerm {
      let expression = SQL(sql: sql).sqlExpression
      return isDescending ? expression.desc : expression.asc
    }

    /// Returns the condition that the term has this value, which is that of the last row.
    func same(as value: DatabaseValue) -> SQL {
      SQL(sql: "\(sql) IS ?", arguments: [value])
    }

    /// Returns the condition that this term alone places a row after the last one.
    ///
    /// SQLite sorts NULL before every other value.
    func behind(_ value: DatabaseValue) -> SQL {
      if value.isNull { return SQL(sql: isDescending ? "0" : "\(sql) IS NOT NULL") }
      return SQL(sql: "\(sql) \(isDescending ? "<" : ">") ?", arguments: [value])
    }
  }

  /// The values of a row's terms.
  typealias Place = [DatabaseValue]

  /// The matching rows, in no order.
  var matches: QueryInterfaceRequest<R>
  /// The order. The last term is the ID, so that no two rows have the same place.
  var terms: [Term]
  /// The periods that bound each step, where rows are scanned one by one for rare matches.
  var periods: EntryPeriods?

  /// Returns requests for the places of the rows after `place`, in order.
  ///
  /// There is one request for each number of leading terms that are the same as in `place`. Each is
  /// a range of the index.
  func requests(after place: Place?) -> [QueryInterfaceRequest<R>] {
    let places = matches.select(terms.map { SQL(sql: $0.sql).sqlExpression })
    guard let place else { return [places.order(terms.map(\.ordering))] }
    return terms.indices.reversed().map { depth in
      var request = places
      for index in 0..<depth {
        request = request.filter(literal: terms[index].same(as: place[index]))
      }
      // Order only by terms that differ: SQLite would sort by an expression that is constant.
      return request.filter(literal: terms[depth].behind(place[depth]))
        .order(terms[depth...].map(\.ordering))
    }
  }

  /// Returns the places of the next rows, at most `limit`.
  func places(after place: Place?, limit: Int, _ db: Database) throws -> [Place] {
    var places: [Place] = []
    for request in requests(after: place) where places.count < limit {
      let rows = try request.limit(limit - places.count).asRequest(of: Row.self).fetchAll(db)
      places += rows.map { Array($0.databaseValues) }
    }
    return places
  }

  /// Skips the next rows.
  ///
  /// - Returns: How many rows were skipped, and the place of the last one if that was `limit`.
  func skip(
    _ limit: Int, after place: Place?, _ db: Database
  ) throws -> (count: Int, place: Place?) {
    var (count, last) = (0, place)
    for request in requests(after: place) where count < limit {
      let cursor = try request.limit(limit - count).asRequest(of: Row.self).fetchCursor(db)
      var row: Row?
      while let next = try cursor.next() {
        count += 1
        if count == limit { row = next.copy() }
      }
      if let row { last = Array(row.databaseValues) }
    }
    return (count, last)
  }
}

extension Catalog {
  /// The most rows to skip in one step.
  private static let longestSkip = 10_000

  /// Reads a page of a list, in steps of no more than ``longestPage`` rows.
  ///
  /// - Parameters:
  ///   - limit: The most rows to return. `nil` means all.
  ///   - offset: How many rows to skip first.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  func list<R: CatalogRow>(
    _ list: RowList<R>, limit: Int?, offset: Int
  ) throws(CatalogError) -> [R.Value] {
    var values: [R.Value] = []
    var (left, toSkip) = (max(limit ?? .max, 0), max(offset, 0))
    var periods = list.periods
    while left > 0 {
      var list = list
      if periods != nil {
        guard let period = try read({ try periods?.next($0) }) else { break }
        list.matches = list.matches.filter(literal: period.condition)
      }
      var place: RowList<R>.Place?
      while toSkip > 0 {
        let limit = min(toSkip, Self.longestSkip)
        let skipped = try read { try list.skip(limit, after: place, $0) }
        (toSkip, place) = (toSkip - skipped.count, skipped.place)
        if skipped.count < limit { break }
      }
      while left > 0, toSkip == 0 {
        let limit = min(left, Self.longestPage)
        let places = try read { try list.places(after: place, limit: limit, $0) }
        values += try rows(R.self, ids: places.compactMap(\.last))
        left -= places.count
        place = places.last
        if places.count < limit { break }
      }
      if periods == nil { break }
    }
    return values
  }

  /// Returns the rows with these IDs, in their order. Rows that have been deleted are left out.
  private func rows<R: CatalogRow>(
    _ type: R.Type, ids: [DatabaseValue]
  ) throws(CatalogError) -> [R.Value] {
    guard !ids.isEmpty else { return [] }
    let request = R.filter(ids.contains(Column("id")))
    let values = Dictionary(
      try fetch(request).map { ($0.id.keyText, $0) }, uniquingKeysWith: { first, _ in first })
    return ids.compactMap { String.fromDatabaseValue($0).flatMap { values[$0] } }
  }
}
