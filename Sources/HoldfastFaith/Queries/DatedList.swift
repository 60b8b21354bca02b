internal import Holdfast

/// A list of the rows of a table that have a date, newest first, read in short statements.
struct DatedList {
  /// The table. It has the columns `date` and `dateOffset`, and an index by date.
  let table: String
  private var conditions: [String] = []
  private var arguments: [SQLValue] = []
  /// Whether many rows may have to be read for each that is found.
  private var isSparse = false

  /// Makes a list of the rows of these days, by each row's own clock.
  ///
  /// No zone is a day away from UTC: that many rows the index leaves out.
  init(_ table: String, from first: Day? = nil, through last: Day? = nil) {
    self.table = table
    if let first {
      filter("date >= date(?, '-1 day')", .text(first.description))
      filter("\(Self.ownDay) >= ?", .text(first.description))
    }
    if let last {
      filter("date < date(?, '+2 days')", .text(last.description))
      filter("\(Self.ownDay) <= ?", .text(last.description))
    }
  }

  /// The day of a row on its own clock, in SQL.
  static let ownDay = "date(date, dateOffset || ' minutes')"

  /// Keeps only rows that match a condition, for which there is an index.
  mutating func filter(_ condition: String, _ arguments: SQLValue...) {
    conditions.append(condition)
    self.arguments += arguments
  }

  /// Keeps only rows that match a condition that has no index.
  mutating func filterRarely(_ condition: String, _ arguments: SQLValue...) {
    conditions.append(condition)
    self.arguments += arguments
    isSparse = true
  }

  /// Keeps only rows whose text contains a term.
  mutating func filter(search term: String) {
    filterRarely("instr(searchText, ?) > 0", .text(term.foldedLine))
  }

  /// Keeps only rows with a tag, in any case.
  ///
  /// The rows of a rare tag are sorted. For one that many rows have, the rows are read in order: it is
  /// soon found often enough.
  mutating func filter(tag: String, in tags: String, _ db: any RecordDatabase) throws {
    let tag = SQLValue.text(tag.trimmed.foldedCase)
    let isCommon = try !db.rows(
      "SELECT 1 FROM \(tags) WHERE foldedTag = ? LIMIT 1 OFFSET \(Self.rarest)", [tag]
    ).isEmpty
    if isCommon {
      filterRarely(
        "EXISTS (SELECT 1 FROM \(tags) WHERE \(table)Id = \(table).id AND foldedTag = ?)", tag)
    } else {
      filter("id IN (SELECT \(table)Id FROM \(tags) WHERE foldedTag = ?)", tag)
    }
  }

  /// The most rows that are sorted for a list.
  private static let rarest = 2000

  /// Returns the IDs of the rows of a page.
  func ids(limit: Int?, offset: Int, _ db: any RecordDatabase) throws -> [SQLValue] {
    guard isSparse else {
      return try statement(
        limit: limit ?? -1, offset: offset, between: nil, db)
    }
    var found: [SQLValue] = []
    var periods = DatedPeriods(of: table)
    let end = limit.map { max(offset, 0).addingReportingOverflow($0) }
      .map { $0.overflow ? .max : $0.partialValue }
    while end.map({ found.count < $0 }) ?? true, let period = try periods.next(db) {
      found += try statement(
        limit: end.map { $0 - found.count } ?? -1, offset: 0, between: period, db)
    }
    return Array(found.dropFirst(offset))
  }

  private func statement(
    limit: Int, offset: Int, between period: (since: String, until: String)?,
    _ db: any RecordDatabase
  ) throws -> [SQLValue] {
    var (conditions, arguments) = (conditions, arguments)
    if let period {
      conditions.append("date >= ? AND date < ?")
      arguments += [.text(period.since), .text(period.until)]
    }
    let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND ")) "
    return try db.rows(
      "SELECT id FROM \(table) \(condition)ORDER BY date DESC, id LIMIT ? OFFSET ?",
      arguments + [.integer(limit), .integer(offset)]
    ).map { $0["id"] }
  }
}

/// Periods that follow one another back in time, each with a limited number of a table's rows.
struct DatedPeriods {
  private let table: String
  private var until: String? = "~"
  /// How many rows the next period has. A list is often complete after a few.
  private var count = 500
  private static let longest = 8000

  init(of table: String) { self.table = table }

  /// Returns the next period, or `nil` when there is none. Rows of the same moment stay together.
  mutating func next(_ db: any RecordDatabase) throws -> (since: String, until: String)? {
    guard let until else { return nil }
    let begin = try db.rows(
      "SELECT date FROM \(table) WHERE date < ? ORDER BY date DESC LIMIT 1 OFFSET ?",
      [.text(until), .integer(count - 1)]
    ).first?["date"].text
    count = min(count * 4, Self.longest)
    self.until = begin
    return (begin ?? "", until)
  }
}

extension RecordDatabase {
  /// Returns the records of a page of a list, in its order. Each statement reads a few.
  func records<Value: JournalRecord>(
    _ type: Value.Type, of list: DatedList, limit: Int?, offset: Int
  ) throws -> [Value] {
    var rest = try list.ids(limit: limit, offset: offset, self)[...]
    var values: [Value] = []
    let size = Value.declaration.pageLimit ?? 200
    while !rest.isEmpty {
      let page = rest.prefix(size)
      rest = rest.dropFirst(size)
      let places = page.map { _ in "?" }.joined(separator: ", ")
      values += try records(
        type, "WHERE id IN (\(places)) ORDER BY date DESC, id", Array(page))
    }
    return values
  }
}
