import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension VerifyFinding {
  /// Whether this only reports metadata that the user asked to keep. Such a finding is not a fault.
  public var isNote: Bool { kind == .keptMetadata }
}

extension Library {
  /// Looks for data that reveals more about the user than it must.
  ///
  /// It checks the stored files, the catalog's file, the permissions of the library's folder, and
  /// the places outside the library where a program might leave something. It changes nothing.
  /// Anything that seems wrong while another command writes is checked again when no command is in
  /// the middle of a step.
  ///
  /// - Parameters:
  ///   - environment: The environment's variables, which name the places outside the library.
  ///   - report: Called with each finding as it is made, and each note (``VerifyFinding/isNote``).
  /// - Returns: The number of recordings whose files were examined.
  /// - Throws: `HoldfastError` when the library was opened without a media engine, and when the
  ///   catalog or the tree cannot be read at all; and whatever `report` throws.
  public func checkPrivacy(
    environment: [String: String], _ report: (VerifyFinding) throws -> Void
  ) async throws -> Int {
    try await PrivacyCheck(
      library: self, tree: tree, engine: try mediaEngine(), pause: WriterPause(of: tree)
    ).run(environment, report)
  }
}
