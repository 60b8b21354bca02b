internal import Foundation
internal import GRDB
public import HoldfastModel

/// The records of another library, other than its recordings.
extension Catalog {
  /// Refuses a library with records of a journal that is not enabled here.
  ///
  /// - Throws: ``CatalogError``, also when this catalog or the other one has a journal that the program
  ///   does not know.
  public func refuseOthers(than own: Catalog) throws(CatalogError) {
    let kinds = try own.read { db in try own.registry.kinds(in: db, name: own.name) }
    try refuseOthers(than: kinds, of: own, notDone: "nothing was merged")
  }

  private func refuseOthers(
    than kinds: [any StoredKind], of own: Catalog, notDone consequence: String
  ) throws(CatalogError) {
    let others = try read { db in
      try registry.kinds(in: db, name: name)
        .filter { kind in !kinds.contains { $0.kind == kind.kind } }
        .map { kind in (kind.kind, try kind.count(db)) }
    }.filter { $0.1 > 0 }
    guard let first = others.first else { return }
    let journal = registry.journals.first { journal in
      journal.storedKinds.contains { $0.kind == first.0 }
    }
    throw .journalNotEnabled(
      own.name, journal?.name, others.map { $0.0.text($0.1) }.joined(separator: ", "),
      of: "the other library", notDone: consequence)
  }

  /// Merges the records of another library into this one, in one transaction, after its recordings.
  ///
  /// - Parameters:
  ///   - other: The other library's catalog.
  ///   - isDryRun: Whether to write nothing. The report is the same.
  /// - Returns: What was done, and which records were not taken.
  /// - Throws: ``CatalogError``. Nothing is then written.
  public func mergeRecords(
    of other: Catalog, isDryRun: Bool
  ) throws(CatalogError) -> DataImportReport {
    try importing(from: other, isDryRun: isDryRun) { [self] db in
      let all = try registry.kinds(in: db, name: name)
      // Another command may have disabled a journal while the recordings were merged.
      try other.refuseOthers(than: all, of: self, notDone: "only recordings were merged")
      let kinds = all.filter { !($0 is KindOfRecording) }
      let known = Set(
        try other.read { try other.registry.kinds(in: $0, name: other.name) }.map(\.kind))
      var run = DataImport(.library(other), db, kinds, isDryRun: isDryRun, now: Date())
      for kind in kinds where known.contains(kind.kind) { try kind.take(from: other, in: &run) }
      return run.report
    }
  }
}

extension StoredKind {
  /// Returns a page of the records, in the order of their IDs. Records that cannot be read, or break a
  /// rule, are refused.
  func elements(
    of other: Catalog, after key: String
  ) throws -> (elements: [DocumentElement<Value>], last: String)? {
    let page: [Value]?
    do throws(CatalogError) {
      page = try other.read { try self.page(after: key, limit: pageLimit, $0) }
    } catch {
      guard error.code == .unreadableRow else { throw error }
      page = nil
    }
    if let page {
      return page.last.map { (page.map(DocumentElement.init(checking:)), $0.id.keyText) }
    }
    // Row by row, so that the others are taken.
    let keys = try other.read { try self.keys(after: key, limit: pageLimit, $0) }
    let elements = try keys.compactMap { key -> DocumentElement<Value>? in
      do throws(CatalogError) {
        return try other.read { try record(key, $0) }.map(DocumentElement.init(checking:))
      } catch {
        guard error.code == .unreadableRow else { throw error }
        return .refused(id: key.cut(to: 40), reason: error.reason)
      }
    }
    return keys.last.map { (elements, $0) }
  }
}
