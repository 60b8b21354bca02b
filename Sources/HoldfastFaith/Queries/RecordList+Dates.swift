internal import Holdfast

/// Lists of the rows of a table that have a date, newest first.
///
/// The tables have the columns `date` and `dateOffset`, and an index by date.
extension RecordList {
  /// Makes a list of the rows of these days, by each row's own clock.
  ///
  /// No zone is a day away from UTC: that many rows the index leaves out.
  init(_ table: String, from first: Day?, through last: Day?) {
    self.init(table, newestBy: "date")
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
}
