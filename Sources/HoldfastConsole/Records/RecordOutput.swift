package import Foundation
package import Holdfast

package struct RecordColumn<Record> {
  let column: TextTable.Column
  /// Returns the field of a record, for which it may read the library.
  let cell: (Record, Library) throws -> String

  package init(_ column: TextTable.Column, _ cell: @escaping (Record, Library) throws -> String) {
    self.column = column
    self.cell = cell
  }

  package init(
    _ heading: String, alignment: TextTable.Alignment = .left, givesWay: Bool = false,
    _ cell: @escaping (Record) -> String
  ) {
    self.init(.init(heading: heading, alignment: alignment, givesWay: givesWay)) { record, _ in
      cell(record)
    }
  }
}

/// A record with more values, as one JSON object.
package struct ExtendedOutput<Value: Encodable, More: Encodable>: Encodable {
  private let value: Value
  private let more: More

  package init(_ value: Value, _ more: More) {
    self.value = value
    self.more = more
  }

  package func encode(to encoder: any Encoder) throws {
    try value.encode(to: encoder)
    try more.encode(to: encoder)
  }
}

private struct AnyOutput: Encodable {
  let value: any Encodable

  func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
}

extension Console {
  /// Prints a record that was made or changed. `done` says what was done, as one word.
  package func show(_ record: some ShownRecord, _ done: String) throws {
    if isJSON { return try json(AnyOutput(value: record.output)) }
    result("\(colored(done, .green))  \(record.id.shortText)  \(record.line(on: self))")
  }

  /// Prints a note about a record of something long ago.
  package func warnIfOld<Record: ShownRecord>(_ record: Record, now: Date) {
    guard let moment = Record.declaration.moment,
      let warning = Entry.warning(timestamp: record[keyPath: moment.date], now: now)
    else { return }
    note("note: \(warning)")
  }

  /// Prints everything about a record.
  package func showAll(_ record: some ShownRecord, in library: Library) throws {
    if isJSON { return try json(AnyOutput(value: record.fullOutput(in: library))) }
    let colors = record.highlight.map { [$0.detail: $0.color] } ?? [:]
    details(try record.details(in: library), colors: colors)
  }

  /// Prints one page of records. `fetch` returns up to this many of them.
  package func page<Record: ShownRecord>(
    _ page: PageOptions, in library: Library, fetch: (Int) throws -> [Record]
  ) throws {
    try self.page(page, noun: { $0.noun(Record.singular, Record.plural) }, fetch: fetch) {
      AnyOutput(value: try $0.listOutput(in: library))
    } table: {
      try Record.table(of: $0, in: library)
    }
  }
}

extension ShownRecord {
  package static func table(of records: ArraySlice<Self>, in library: Library) throws -> TextTable {
    let columns = columns
    var table = TextTable([.init(heading: "ID")] + columns.map(\.column))
    for record in records {
      let cells = try columns.map { try $0.cell(record, library) }
      table.add([record.id.shortText] + cells, color: record.highlight?.color)
    }
    return table
  }
}
