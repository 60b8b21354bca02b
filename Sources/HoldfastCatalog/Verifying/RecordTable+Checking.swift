public import Foundation
internal import GRDB
public import HoldfastModel

/// A row that breaks a rule which the schema does not state, or that cannot be read.
public struct RowFinding: Hashable, Sendable {
  /// The kind of record.
  public var kind: RecordKind
  /// The record's ID as it is stored.
  public var id: String
  /// What is wrong: one clause.
  public var reason: String
  /// Whether the row can be read, and so corrected.
  public var isReadable: Bool
}

/// A page of rows that were checked.
public struct CheckedRows: Sendable {
  /// What is wrong with them.
  public var findings: [RowFinding]
  /// Those that are dated in the future: their IDs and their latest moments.
  public var future: [(id: String, moment: Date)]
  /// The ID of the last one, after which the next page begins.
  public var last: String
}

extension RecordTable {
  /// Reads a page of all records of a kind, and checks them by the kind's rules.
  ///
  /// - Parameters:
  ///   - kind: A kind that the catalog has.
  ///   - key: The last record of the page before. `nil` for the first page.
  /// - Returns: The page; `nil` if there are no more records, or the journal was disabled meanwhile.
  /// - Throws: ``CatalogError``. A row that cannot be read is a finding.
  public func check(
    _ kind: RecordKind, after key: String?
  ) throws(CatalogError) -> CheckedRows? {
    try readIfPresent(kind) { stored throws(CatalogError) in
      try stored.check(catalog, after: key ?? "")
    }
  }
}

extension StoredKind {
  fileprivate func check(
    _ catalog: Catalog, after key: String
  ) throws(CatalogError) -> CheckedRows? {
    do throws(CatalogError) {
      let page = try catalog.read { try self.page(after: key, limit: pageLimit, $0) }
      guard let last = page.last else { return nil }
      return checked(page, last: last.id.keyText)
    } catch {
      guard error.code == .unreadableRow else { throw error }
    }
    // Row by row, so that the others are checked.
    let keys = try catalog.read { try self.keys(after: key, limit: pageLimit, $0) }
    guard let last = keys.last else { return nil }
    var (records, unreadable): ([Value], [RowFinding]) = ([], [])
    for key in keys {
      do throws(CatalogError) {
        if let record = try catalog.read({ try record(key, $0) }) { records.append(record) }
      } catch {
        guard error.code == .unreadableRow else { throw error }
        unreadable.append(RowFinding(kind: kind, id: key, reason: error.reason, isReadable: false))
      }
    }
    var rows = checked(records, last: last)
    rows.findings += unreadable
    return rows
  }

  private func checked(_ records: [Value], last: String) -> CheckedRows {
    let now = Date()
    return CheckedRows(
      findings: records.compactMap(finding),
      future: records.compactMap { record in
        record.future(at: now).map { (record.id.keyText, $0) }
      }, last: last)
  }

  private func finding(_ record: Value) -> RowFinding? {
    do throws(RuleError) {
      try record.validate()
      return nil
    } catch {
      return RowFinding(
        kind: kind, id: record.id.keyText, reason: error.description, isReadable: true)
    }
  }
}
