package import Foundation
import GRDB
package import HoldfastModel

/// A row that cannot be read, or breaks a rule that the schema does not state.
package struct RowFinding: Hashable, Sendable {
  package var kind: RecordKind
  /// The record's ID as it is stored.
  package var id: String
  /// The finding: one clause.
  package var reason: String
  /// Whether the row can be read, and so corrected.
  package var isReadable: Bool
}

package struct CheckedRows: Sendable {
  package var findings: [RowFinding]
  /// The records that are dated in the future: their IDs and their latest moments.
  package var future: [(id: String, moment: Date)]
  /// The ID of the last record, after which the next page begins.
  package var last: String
}

extension RecordTable {
  /// Reads a page of all records of a kind, and checks them by the kind's rules.
  ///
  /// - Returns: `nil` after the last record, or if the journal was disabled meanwhile.
  /// - Throws: `HoldfastError`. A row that cannot be read is a finding.
  package func check(
    _ kind: RecordKind, after key: String?
  ) throws(HoldfastError) -> CheckedRows? {
    try readIfPresent(kind) { stored throws(HoldfastError) in
      try stored.check(catalog, after: key ?? "")
    }
  }
}

extension StoredKind {
  fileprivate func check(
    _ catalog: Catalog, after key: String
  ) throws(HoldfastError) -> CheckedRows? {
    guard let (rows, last) = try page(of: catalog, after: key) else { return nil }
    let now = Date()
    var (checked, unreadable) = (CheckedRows(findings: [], future: [], last: last), [RowFinding]())
    for row in rows {
      switch row {
      case .success(let record):
        do throws(RuleError) { try record.validate() } catch {
          checked.findings.append(
            RowFinding(
              kind: kind, id: record.id.keyText, reason: error.description, isReadable: true))
        }
        if let moment = record.future(at: now) {
          checked.future.append((record.id.keyText, moment))
        }
      case .failure(let row):
        unreadable.append(
          RowFinding(kind: kind, id: row.id, reason: row.reason, isReadable: false))
      }
    }
    checked.findings += unreadable
    return checked
  }

  /// Returns a page of the records, in the order of their IDs, including unreadable ones; `nil` at
  /// the end.
  func page(
    of catalog: Catalog, after key: String
  ) throws(HoldfastError) -> (rows: [Result<Value, UnreadableRow>], last: String)? {
    do throws(HoldfastError) {
      let page = try catalog.read { try self.page(after: key, limit: pageLimit, $0) }
      return page.last.map { (page.map { .success($0) }, $0.id.keyText) }
    } catch {
      guard error.code == .unreadableRow else { throw error }
    }
    // Row by row, so that the readable ones are read.
    let keys = try catalog.read { try self.keys(after: key, limit: pageLimit, $0) }
    var rows: [Result<Value, UnreadableRow>] = []
    for key in keys {
      do throws(HoldfastError) {
        if let record = try catalog.read({ try record(key, $0) }) { rows.append(.success(record)) }
      } catch {
        guard error.code == .unreadableRow else { throw error }
        rows.append(.failure(UnreadableRow(id: key, reason: error.reason)))
      }
    }
    return keys.last.map { (rows, $0) }
  }
}

struct UnreadableRow: Error {
  var id: String
  var reason: String
}
