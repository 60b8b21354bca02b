internal import Foundation
internal import HoldfastStorage

/// Handles a library that several computers can reach.
///
/// The locks of one computer may be unknown to another. So such a library is written only when its
/// owner has promised that one computer writes at a time.
extension Library {
  /// Allows writing to a library on a network filesystem, by setting `sharedDisk` in its marker.
  ///
  /// - Parameter location: Where the library is.
  /// - Returns: Whether the marker was changed; `false` if writing was allowed already.
  /// - Throws: ``LibraryError``, with the code `noLibrary` if there is none. It also throws when the
  ///   marker cannot be written; the marker is then unchanged.
  @discardableResult
  public static func allowSharedDisk(at location: LibraryLocation) throws -> Bool {
    try LibraryError.translating(at: location) {
      let tree = try LibraryTree.open(at: location.absolutePath)
      return try tree.withWriterLock { try tree.allowSharedDisk(under: $0) }
    }
  }

  /// Returns a warning for each kind of other computers' work that recovery found.
  static func othersWork(in report: RecoveryReport) -> [LibraryError] {
    var parts: [LibraryError] = []
    if let quarantine = report.quarantine {
      parts.append(
        LibraryError(
          .otherComputersWork,
          "work that another computer had not touched for a day is in .quarantine/\(quarantine) now",
          path: ".quarantine/\(quarantine)"))
    }
    if let first = report.others.first {
      let more = report.others.count - 1
      parts.append(
        LibraryError(
          .otherComputer,
          "another computer may be at work in \(first.path)"
            + (more > 0 ? " and \(more) more" : "")
            + ", which is left alone until nothing in it has changed for a day", path: first.path))
    }
    return parts
  }
}
