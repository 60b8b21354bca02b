internal import Foundation
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// A record of the journal as the commands print it.
protocol ShownRecord: JournalRecord where ID == UUID {
  /// The record as one line of text, by which a person knows it.
  var line: String { get }
  /// Everything about the record, one detail on each line, without its ID and its dates of change.
  var facts: [(name: String, value: String?)] { get }
  /// The columns of a list between the ID and the line.
  static var columns: [TextTable.Column] { get }
  /// The heading of the line.
  static var heading: String { get }
  /// The fields of those columns.
  var cells: [String] { get }
}

extension ShownRecord {
  /// Records as a table. What a person wrote is in the last column.
  static func table(of records: ArraySlice<Self>) -> TextTable {
    var table = TextTable(
      [.init(heading: "ID")] + columns + [.init(heading: heading)])
    for record in records { table.add([record.id.short] + record.cells + [record.line]) }
    return table
  }

  /// The details that the record has.
  var allDetails: [(name: String, value: String)] {
    let dates: [(name: String, value: String?)] = [
      ("added", createdAt.localText), ("changed", modifiedAt?.localText),
    ]
    return ([("id", id.uuidString)] + facts + dates).compactMap { detail in
      detail.value.map { (detail.name, $0) }
    }
  }
}

extension Console {
  /// Prints a record that was made or changed.
  func show<Record: ShownRecord>(_ record: Record, _ done: String) throws {
    if isJSON { return try json(record) }
    result("\(colored(done, .green))  \(record.id.short)  \(record.line.escapedForDisplay)")
  }

  /// Prints everything about a record.
  func showAll<Record: ShownRecord>(_ record: Record) throws {
    if isJSON { return try json(record) }
    details(record.allDetails)
  }

  /// Prints one page of the records that `fetch` finds. It gets the most to return.
  func page<Record: ShownRecord>(
    _ page: PageOptions, of fetch: (Int) throws -> [Record]
  ) throws {
    try self.page(
      page, noun: { $0.noun(Record.kind.singular, Record.kind.plural) }, fetch: fetch
    ) {
      $0
    } table: {
      Record.table(of: $0)
    }
  }
}

extension Bool {
  /// "yes", or nothing.
  var yes: String? { self ? "yes" : nil }
}
