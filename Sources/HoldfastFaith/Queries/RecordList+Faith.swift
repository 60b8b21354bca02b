internal import Foundation
internal import Holdfast

/// Lists of the journal's records.
extension RecordList {
  /// The day of a row on its own clock, in SQL.
  static let ownDay = ownDay("date")

  /// Makes a list of all rows, those with the largest value of a column first.
  init(_ table: String, last column: String) {
    self.init(table, by: [Term(column, isDescending: true)])
  }

  /// Makes a list of what belongs to a session, in the order of a column.
  init(_ table: String, of session: UUID, by column: String) {
    self.init(table, by: [Term(column)])
    filter("sessionId = ?", .text(session.uuidString))
  }

  /// Keeps only rows with a mood, in any case.
  mutating func filter(mood: String) {
    filter("foldedMood = ?", .text(mood.trimmed.foldedCase))
  }

  /// Keeps only rows that are not private, unless those are wanted too.
  ///
  /// - Parameter isIndexed: Whether the list's index has the column before those of the order.
  mutating func filter(private includesPrivate: Bool, isIndexed: Bool) {
    if !includesPrivate {
      filter("isPrivate = 0")
    } else if isIndexed {
      filter("isPrivate IN (0, 1)")
    }
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
}
