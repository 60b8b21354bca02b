internal import Foundation
internal import GRDB
internal import HoldfastModel

/// Periods that follow one another back in time, and together are all time or what was asked for of it.
///
/// Each holds a limited number of entries, so that a statement that looks at every entry of one is short.
struct EntryPeriods {
  /// The most entries of a period. The slowest statement takes 3 µs for each on a 2-core Xeon.
  static let longest = 20_000

  /// The table of the entries, which has an index by time.
  let table: String
  /// The first moment, as the catalog writes it.
  let since: String
  /// How many entries the next period has. A list is often complete after a few.
  var count = longest
  /// The moment at which the period before began; `nil` at the end.
  private var until: String? = EntryPeriod.always.until

  init(of table: String, since: Date? = nil, first count: Int = longest) {
    self.table = table
    let since = since.flatMap { String.fromDatabaseValue($0.roundedToMillisecond.databaseValue) }
    self.since = since ?? EntryPeriod.always.since
    self.count = count
  }

  /// The order of entries, newest first.
  static func order<R>() -> [RowList<R>.Term] {
    [.init(sql: "timestamp", isDescending: true), .init(sql: "id")]
  }

  /// The next period; `nil` when there is none.
  mutating func next(_ db: Database) throws -> EntryPeriod? {
    guard let until else { return nil }
    // Entries of the very same moment stay together, however many they are.
    let begin = try String.fetchOne(
      db.cachedStatement(
        sql: """
          SELECT timestamp FROM \(table) WHERE timestamp >= ? AND timestamp < ?
          ORDER BY timestamp DESC LIMIT 1 OFFSET ?
          """), arguments: [since, until, count - 1])
    self.until = begin
    count = min(count * 4, Self.longest)
    return EntryPeriod(since: begin ?? since, until: until)
  }

  /// All periods at once.
  func all(_ db: Database) throws -> [EntryPeriod] {
    var (periods, rest) = ([EntryPeriod](), self)
    while let period = try rest.next(db) { periods.append(period) }
    return periods
  }
}

/// A period of entries, by their moments as the catalog writes them.
struct EntryPeriod: Hashable {
  /// The first moment.
  var since: String
  /// The first moment after it.
  var until: String

  /// All time: no moment is less than the empty text, or as great as a tilde.
  static let always = EntryPeriod(since: "", until: "~")

  var condition: SQL { "timestamp >= \(since) AND timestamp < \(until)" }
}
