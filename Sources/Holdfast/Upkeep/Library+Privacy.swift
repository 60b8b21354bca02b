internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

extension VerifyFinding {
  /// Whether it only tells what a person asked for: nothing is amiss.
  public var isNote: Bool { kind == .keptMetadata }
}

extension Library {
  /// Looks for what tells more of a person than it must: in the stored files, in the catalog's file,
  /// in the permissions of the library's folder, and in the places outside of it where a program
  /// might leave something.
  ///
  /// Nothing is changed. What looks wrong while somebody writes is looked at once more when nobody
  /// is in the middle of a step.
  ///
  /// - Parameters:
  ///   - environment: The environment's variables, which say where those places are.
  ///   - report: Takes each finding as it is made, and each note (``VerifyFinding/isNote``).
  /// - Returns: The number of recordings whose files were looked at.
  /// - Throws: ``LibraryError`` when the library was opened without a media engine; when the catalog
  ///   or the tree cannot be read at all; and what `report` throws.
  public func checkPrivacy(
    environment: [String: String], _ report: (VerifyFinding) throws -> Void
  ) async throws -> Int {
    try await LibraryError.translating {
      let check = PrivacyCheck(
        library: self, tree: tree, engine: try mediaEngine(), pause: WriterPause(of: tree))
      var count = 0
      do {
        try await check.recordings { findings in
          count += 1
          for finding in findings { try report(finding) }
        }
      } catch {
        guard let finding = VerifyFinding(error, in: tree) else { throw error }
        try report(finding)
      }
      for part in [check.folder, check.catalogFile] {
        do { try part(report) } catch {
          guard let finding = VerifyFinding(error, in: tree) else { throw error }
          try report(finding)
        }
      }
      for finding in PrivacyCheck.outside(environment) { try report(finding) }
      return count
    }
  }
}
