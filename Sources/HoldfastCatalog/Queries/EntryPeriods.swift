internal import Foundation
internal import GRDB
internal import HoldfastModel

/// Periods that follow one another back in time, and together cover the requested time.
///
/// Each holds a limited number of entries, so that a statement that reads all entries of one period
/// is short.
struct EntryPeriods {
  /// The most entries in a period, unless the first one has more. The slowest statement takes 3 µs
  /// for each on a 2-core Xeon.
  static let longest = 20_000

  /// The table of the entries, which has an index by time.
  let table: String
  /// The first moment, in the catalog's format.
  let since: String
  /// How many entries the next period has. A list is often complete after a few entries.
  var count = longest
  /// The moment when the previous period began. `nil` at the end.
  private var until: String?

  init(of table: String, since: Date? = nil, until: Date? = nil, first count: Int = longest) {
    func text(_ moment: Date?) -> String? {
      moment.flatMap { String.fromDatabaseValue($0.roundedToMillisecond.databaseValue) }
    }
    self.table = table
    self.since = text(since) ?? EntryPeriod.always.since
    self.until = text(until) ?? EntryPeriod.always.until
    self.count = count
  }

  /// The order of entries, newest first.
  static func order<R>() -> [RowList<R>.Term] {
    [.init(sql: "timestamp", isDescending: true), .init(sql: "id")]
  }

  /// Returns the next period, or `nil` when there is none.
  mutating func next(_ db: Database) throws -> EntryPeriod? {
    guard let until else { return nil }
    // Entries with exactly the same moment stay together, however many there are.
    let begin = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT timestamp FROM \(table) WHERE timestamp >= ? AND timestamp < ?
          ORDER BY timestamp DESC LIMIT 1 OFFSET ?
          """), arguments: [since, until, count - 1])
    self.until = begin
    count = max(count, min(count * 4, Self.longest))
    return EntryPeriod(since: begin ?? since, until: until)
  }

  /// Returns all remaining periods.
  func all(_ db: Database) throws -> [EntryPeriod] {
    var (periods, rest) = ([EntryPeriod](), self)
    while let period = try rest.next(db) { periods.append(period) }
    return periods
  }
}

/// A period of entries, by their moments in the catalog's format.
struct EntryPeriod: Hashable {
  /// The first moment of the period.
  var since: String
  /// The first moment after the period.
  var until: String

  /// All time: every moment sorts after the empty text and before a tilde.
  static let always = EntryPeriod(since: "", until: "~")

  var condition: SQL { "timestamp >= \(since) AND timestamp < \(until)" }
}
