package import Foundation

/// A list of a table's rows in the order of an index, read in short statements.
///
/// While a statement is open, no other program can commit. So a long list is read in steps, each
/// starting after the last row of the step before. A row that moves meanwhile may be missing or be
/// listed twice. Every other row is listed once.
package struct RecordList: Sendable {
  /// One expression of the order.
  package struct Term: Sendable {
    /// The expression, in parentheses unless it is a column.
    let sql: String
    let isDescending: Bool

    package init(_ sql: String, isDescending: Bool = false) {
      self.sql = sql
      self.isDescending = isDescending
    }
  }

  /// The values of a row's terms.
  private typealias Place = [SQLValue]

  package let table: String
  private let terms: [Term]
  private var conditions: [String] = []
  private var arguments: [SQLValue] = []
  /// The periods in which rows would be scanned one by one for rare matches; `nil` if the list is
  /// not ordered by time.
  private let periods: RecordPeriods?
  private var isSparse = false

  /// The most rows that a statement returns.
  private static let longestStep = 1000
  /// The most rows that a statement skips.
  private static let longestSkip = 10_000

  /// Makes a list of all rows of a table whose key is `id`. Rows that compare equal are ordered by
  /// ID.
  package init(_ table: String, by terms: [Term]) {
    self.table = table
    self.terms = terms + [Term("id")]
    periods = nil
  }

  /// Makes a list of the rows of a period, newest first.
  ///
  /// - Parameters:
  ///   - column: The column of the moments, which has an index.
  ///   - until: The first moment after the period; `nil` for all time.
  package init(
    _ table: String, newestBy column: String = "timestamp", since: Date? = nil, until: Date? = nil
  ) {
    self.table = table
    terms = [Term(column, isDescending: true), Term("id")]
    periods = RecordPeriods(of: table, by: column, since: since, until: until, first: 1000)
    if let since { filter("\(column) >= ?", .date(since)) }
    if let until { filter("\(column) < ?", .date(until)) }
  }

  /// Makes a list of the rows of some days, by each row's own clock, newest first.
  ///
  /// No zone is a whole day from UTC, so the index reads a day more at each end.
  ///
  /// - Parameters:
  ///   - table: The table, whose key is `id`. The zones are in the column named `column` +
  ///     `Offset`.
  ///   - column: The column of the moments, which has an index.
  ///   - first: The first day; `nil` for no limit.
  ///   - last: The last day; `nil` for no limit.
  package init(_ table: String, by column: String, from first: Day?, through last: Day?) {
    func midnight(_ day: Day?, _ days: Int) -> Date? {
      guard let day, case let other = day.adding(days: days), (other < day) == (days < 0) else {
        // A year has four digits and no era.
        return nil
      }
      return JSONFormat.date("\(other)T00:00:00Z")
    }
    self.init(table, newestBy: column, since: midnight(first, -1), until: midnight(last, 2))
    if let first { filter("\(Self.ownDay(column)) >= ?", .text(first.description)) }
    if let last { filter("\(Self.ownDay(column)) <= ?", .text(last.description)) }
  }

  /// The day of a row on its own clock, in SQL.
  package static func ownDay(_ column: String) -> String {
    "date(\(column), \(column)Offset || ' minutes')"
  }

  /// Keeps only rows that match a condition.
  package mutating func filter(_ condition: String, _ arguments: SQLValue...) {
    conditions.append(condition)
    self.arguments += arguments
  }

  /// Keeps only rows that match a condition without an index in this order.
  package mutating func filterRarely(_ condition: String, _ arguments: SQLValue...) {
    conditions.append(condition)
    self.arguments += arguments
    isSparse = true
  }

  /// Returns the IDs of a page's rows. Without a limit, the page has all rows after the offset.
  package func ids(
    limit: Int?, offset: Int = 0, in db: any RecordDatabase
  ) throws -> [SQLValue] {
    var ids: [SQLValue] = []
    var (left, toSkip) = (max(limit ?? .max, 0), max(offset, 0))
    guard isSparse, var periods else {
      try read(nil, into: &ids, left: &left, toSkip: &toSkip, in: db)
      return ids
    }
    while left > 0, let period = try periods.next(db) {
      try read(period, into: &ids, left: &left, toSkip: &toSkip, in: db)
    }
    return ids
  }

  private func read(
    _ period: RecordPeriod?, into ids: inout [SQLValue], left: inout Int, toSkip: inout Int,
    in db: any RecordDatabase
  ) throws {
    var place: Place?
    while toSkip > 0 {
      let limit = min(toSkip, Self.longestSkip)
      let count = try skip(limit, after: &place, period: period, in: db)
      toSkip -= count
      if count < limit { return }
    }
    while left > 0 {
      let limit = min(left, Self.longestStep)
      var places: [Place] = []
      for statement in statements(after: place, period) where places.count < limit {
        places += try db.rows(
          "\(statement.sql) LIMIT ?",
          statement.arguments + [.integer(Int64(limit - places.count))]
        ).map(self.place)
      }
      ids += places.compactMap(\.last)
      left -= places.count
      place = places.last
      if places.count < limit { return }
    }
  }

  /// Skips the next rows, and returns how many there were.
  private func skip(
    _ limit: Int, after place: inout Place?, period: RecordPeriod?, in db: any RecordDatabase
  ) throws -> Int {
    var (count, last) = (0, place)
    for statement in statements(after: place, period) where count < limit {
      let rest = limit - count
      let found = try db.rows(
        "SELECT count(*) AS count FROM (\(statement.sql) LIMIT ?)",
        statement.arguments + [.integer(Int64(rest))])
      count += found.first?["count"].integer ?? 0
      guard count == limit else { continue }
      last = try db.rows(
        "\(statement.sql) LIMIT 1 OFFSET ?", statement.arguments + [.integer(Int64(rest - 1))]
      ).first.map(self.place)
    }
    place = last
    return count
  }

  private func place(of row: SQLRow) -> Place { terms.indices.map { row["term\($0)"] } }

  /// Returns statements for the places of the rows after `place`, in order.
  ///
  /// There is one for each number of leading terms equal to those of `place`. Each reads a range of
  /// the index.
  private func statements(
    after place: Place?, _ period: RecordPeriod?
  ) -> [(sql: String, arguments: [SQLValue])] {
    let (conditions, arguments) = conditions(of: period)
    guard let place else { return [(sql(conditions, terms[...]), arguments)] }
    return terms.indices.reversed().map { depth in
      let same = terms[..<depth].map { "\($0.sql) IS ?" }
      var (behind, values) = (terms[depth].behind, [place[depth]])
      // SQLite sorts NULL before every other value.
      if case .null = place[depth] {
        (behind, values) = (terms[depth].isDescending ? "0" : "\(terms[depth].sql) IS NOT NULL", [])
      }
      // Order only by terms that differ: SQLite would sort by an expression that is constant.
      return (
        sql(conditions + same + [behind], terms[depth...]),
        arguments + place[..<depth] + values
      )
    }
  }

  private func sql(_ conditions: [String], _ order: ArraySlice<Term>) -> String {
    let columns = terms.enumerated().map { "\($1.sql) AS term\($0)" }.joined(separator: ", ")
    let order = order.map { $0.sql + ($0.isDescending ? " DESC" : "") }.joined(separator: ", ")
    return "SELECT \(columns) FROM \(table)\(Self.condition(conditions)) ORDER BY \(order)"
  }

  private func conditions(
    of period: RecordPeriod?
  ) -> (conditions: [String], arguments: [SQLValue]) {
    guard let period, let column = periods?.column else { return (conditions, arguments) }
    return (
      conditions + ["\(column) >= ? AND \(column) < ?"],
      arguments + [.text(period.since), .text(period.until)]
    )
  }

  private static func condition(_ conditions: [String]) -> String {
    conditions.isEmpty ? "" : " WHERE \(conditions.joined(separator: " AND "))"
  }

  /// Returns all matching rows, read in several short statements.
  ///
  /// - Parameter clause: What follows the condition, such as `GROUP BY method`.
  package func rows(
    selecting columns: String, _ clause: String = "", in db: any RecordDatabase
  ) throws -> [SQLRow] {
    guard isSparse, let periods else {
      return try rows(columns, clause: clause, period: nil, in: db)
    }
    return try periods.withLongest.all(db).flatMap {
      try rows(columns, clause: clause, period: $0, in: db)
    }
  }

  private func rows(
    _ columns: String, clause: String, period: RecordPeriod?, in db: any RecordDatabase
  ) throws -> [SQLRow] {
    let (conditions, arguments) = conditions(of: period)
    return try db.rows(
      "SELECT \(columns) FROM \(table)\(Self.condition(conditions)) \(clause)", arguments)
  }
}

extension RecordList.Term {
  /// The condition that this term alone places a row later.
  fileprivate var behind: String { "\(sql) \(isDescending ? "<" : ">") ?" }
}

extension RecordDatabase {
  /// Returns the records of a page of a list, in its order. Records that were deleted meanwhile are
  /// left out.
  package func records<Value: JournalRecord>(
    _ type: Value.Type, of list: RecordList, limit: Int?, offset: Int
  ) throws -> [Value] {
    try requireEnabled(type)
    var rest = try list.ids(limit: limit, offset: offset, in: self)[...]
    var values: [Value] = []
    let size = Value.declaration.pageLimit ?? 200
    while !rest.isEmpty {
      let page = rest.prefix(size)
      rest = rest.dropFirst(size)
      let places = page.map { _ in "?" }.joined(separator: ", ")
      let found = Dictionary(
        try records(type, clause: "WHERE id IN (\(places))", arguments: Array(page)).map {
          ($0.id.keyText, $0)
        },
        uniquingKeysWith: { first, _ in first })
      values += page.compactMap { $0.text.flatMap { found[$0] } }
    }
    return values
  }
}
