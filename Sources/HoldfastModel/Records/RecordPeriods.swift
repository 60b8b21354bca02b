package import Foundation

/// Periods that follow one another back in time, and together cover the requested time.
///
/// Each holds a limited number of rows, so that a statement that reads a whole period is short.
package struct RecordPeriods: Sendable {
  /// The most rows in a period, unless the first one has more. The slowest statement takes 3 µs
  /// for each on a 2-core Xeon.
  private static let longest = 20_000

  private let table: String
  /// The column of the moments, which has an index.
  let column: String
  private let since: String
  /// How many rows the next period has. Often the first few complete a list.
  private var count: Int
  /// When the previous period began; `nil` at the end.
  private var until: String?

  /// Makes the periods of a table's rows.
  ///
  /// - Parameters:
  ///   - column: The column of the moments, which has an index.
  ///   - until: The first moment after the last period; `nil` for all time.
  ///   - count: How many rows the first period has.
  package init(
    of table: String, by column: String = "timestamp", since: Date? = nil, until: Date? = nil,
    first count: Int = longest
  ) {
    self.table = table
    self.column = column
    self.since = since.flatMap { SQLValue.date($0).text } ?? RecordPeriod.always.since
    self.until = until.flatMap { SQLValue.date($0).text } ?? RecordPeriod.always.until
    self.count = count
  }

  /// The same time in periods of the longest length.
  var withLongest: RecordPeriods {
    var periods = self
    periods.count = Self.longest
    return periods
  }

  package mutating func next(_ db: any RecordDatabase) throws -> RecordPeriod? {
    guard let until else { return nil }
    // Rows of exactly the same moment stay together, however many there are.
    let begin = try db.rows(
      """
      SELECT \(column) AS moment FROM \(table) WHERE \(column) >= ? AND \(column) < ?
      ORDER BY \(column) DESC LIMIT 1 OFFSET ?
      """, [.text(since), .text(until), .integer(Int64(count - 1))]
    ).first?["moment"].text
    self.until = begin
    count = max(count, min(count * 4, Self.longest))
    return RecordPeriod(since: begin ?? since, until: until)
  }

  package func all(_ db: any RecordDatabase) throws -> [RecordPeriod] {
    var (periods, rest) = ([RecordPeriod](), self)
    while let period = try rest.next(db) { periods.append(period) }
    return periods
  }
}

/// A period, as moments in the catalog's format.
package struct RecordPeriod: Hashable, Sendable {
  package var since: String
  /// The first moment after the period.
  package var until: String

  /// All time: every moment sorts after the empty text and before a tilde.
  static let always = RecordPeriod(since: "", until: "~")
}
