internal import Foundation
internal import HoldfastStorage

/// Where two computers can reach one library, the locks of one may be unknown to the other. Such a
/// library is written only when its owner has promised that one computer writes at a time.
extension Library {
  /// Allows writing to a library on a network filesystem: `sharedDisk` in its marker.
  ///
  /// - Parameter location: Where the library is.
  /// - Returns: Whether that was new.
  /// - Throws: ``LibraryError`` with the code `noLibrary`; ``StorageError`` when the marker cannot be
  ///   written, and then it is as it was.
  @discardableResult
  public static func allowSharedDisk(at location: LibraryLocation) throws -> Bool {
    try LibraryError.translating(at: location) {
      let tree = try LibraryTree.open(at: location.absolutePath)
      return try tree.withWriterLock { try tree.allowSharedDisk(under: $0) }
    }
  }

  /// What of other computers' work was found on opening, a clause each.
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
