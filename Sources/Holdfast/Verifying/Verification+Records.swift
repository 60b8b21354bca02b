import Foundation
import HoldfastCatalog
import HoldfastModel

extension Verification {
  /// Checks each record of each kind by the rules of its kind.
  ///
  /// The schema states most of the rules, but not all: SQL cannot count what a person sees as a
  /// character. A record that breaks a rule could be exported, but not be imported again.
  func verifyRecords() throws {
    for kind in try library.catalog.records.kinds() {
      var last: String?
      while let page = try library.catalog.records.check(kind, after: last) {
        try Task.checkCancellation()
        for finding in page.findings where try !isReported(finding) {
          try found(
            VerifyFinding(
              .brokenRule, path: "catalog.sqlite",
              detail:
                "\(kind.singular) \(finding.id.cut(to: 40).escapedForDisplay): \(finding.reason)",
              help: finding.isReadable ? .edit(kind, id: finding.id) : nil))
        }
        summary.addFuture(page.future, of: kind)
        last = page.last
      }
    }
  }

  /// Whether the check of the recordings' files has reported that a row cannot be read.
  private func isReported(_ finding: RowFinding) throws -> Bool {
    guard finding.kind == .recordings, let id = UUID(uuidString: finding.id) else { return false }
    do {
      _ = try library.catalog.files.find(id: id)
      return false
    } catch HoldfastError.Code.unreadableRow {
      return true
    }
  }
}
