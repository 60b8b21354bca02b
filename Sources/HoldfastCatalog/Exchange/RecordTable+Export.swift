package import Foundation
import GRDB
package import HoldfastModel

/// A page of the records of one kind.
package struct ExportPage: Sendable {
  /// The ID of the last record, after which the next page begins.
  package let last: String
  /// How many rows were read, including those that are left out.
  package let rows: Int
  /// Whether there may be more records after it.
  package let isFull: Bool
  private let written: @Sendable () throws(HoldfastError) -> [Data]

  init(
    last: String, rows: Int, isFull: Bool,
    written: @escaping @Sendable () throws(HoldfastError) -> [Data]
  ) {
    (self.last, self.rows, self.isFull) = (last, rows, isFull)
    self.written = written
  }

  /// Returns the records as an export writes them, which takes as long as reading them. The list is
  /// empty if all of them are left out.
  package func records() throws(HoldfastError) -> [Data] { try written() }
}

package struct ExportedKind: Hashable, Sendable {
  package var kind: RecordKind
  package var version: Int
  /// The header of the table of comma-separated values.
  package var header: String
  package var count: Int
}

package enum ExportForm: Hashable, Sendable {
  case json
  /// As a row of comma-separated values, without private records unless they are included.
  case csv(includingPrivate: Bool)
}

/// An export reads pages, as every long reader does, so that no statement stays open while it is
/// written.
extension RecordTable {
  /// Returns the kinds of records that the catalog has, in the order of an export.
  ///
  /// - Throws: `HoldfastError`, with ``HoldfastError/Code/unknownJournal`` if it has records that
  ///   the program does not know.
  package func exportedKinds() throws(HoldfastError) -> [ExportedKind] {
    try catalog.readSnapshot { db in
      try registry.kinds(in: db, name: name).map { try $0.exported(db) }
    }
  }

  /// Returns a page of all records of a kind, in the order of their IDs.
  ///
  /// - Returns: `nil` after the last record, or if the journal was disabled meanwhile.
  package func exportPage(
    of kind: RecordKind, as form: ExportForm, after key: String?
  ) throws(HoldfastError) -> ExportPage? {
    try readIfPresent(kind) { stored throws(HoldfastError) in
      try catalogErrors(name) { try stored.exportPage(of: catalog, as: form, after: key) }
    }
  }
}

extension StoredKind {
  func exported(_ db: Database) throws -> ExportedKind {
    ExportedKind(
      kind: kind, version: declaration.version, header: CSV.header(declaration.csv),
      count: try count(db))
  }

  fileprivate func exportPage(
    of catalog: Catalog, as form: ExportForm, after key: String?
  ) throws -> ExportPage? {
    let page = try catalog.read { db in try self.page(after: key ?? "", limit: pageLimit, db) }
    guard let last = page.last else { return nil }
    let (declaration, name) = (declaration, catalog.name)
    return ExportPage(last: last.id.keyText, rows: page.count, isFull: page.count == pageLimit) {
      () throws(HoldfastError) in
      try catalogErrors(name) {
        switch form {
        case .json:
          let encoder = JSONFormat.encoder
          return try page.map { try JSONFormat.data($0, by: encoder) }
        case .csv(let includesPrivate):
          return page.filter { record in
            includesPrivate || declaration.privacy.map { !record[keyPath: $0.path] } ?? true
          }.map { Data(CSV.row(declaration.csv, of: $0).utf8) }
        }
      }
    }
  }
}
