import Glibc
package import HoldfastModel

extension HoldfastError {
  /// Makes the error of a file or folder.
  ///
  /// - Parameter detail: The figure or the name that the code's sentence has, if it has one.
  package init(
    _ code: Code, operation: String, path: String?, errno: CInt? = nil, detail: String? = nil
  ) {
    let code = code == .system ? Self.code(of: errno) : code
    self.init(
      code, Self.reason(code, operation, errno: errno, detail: detail), operation: operation,
      of: path,
      errno: errno, in: .storage)
  }

  private static func code(of errno: CInt?) -> Code {
    switch errno {
    case EACCES, EPERM, EROFS: .notPermitted
    case ENOSPC, EDQUOT: .noSpace
    default: .system
    }
  }

  private static func reason(
    _ code: Code, _ operation: String, errno: CInt?, detail: String?
  ) -> String {
    switch code {
    case .notAFile: "not a regular file"
    case .unsafePath:
      "refused, because it is or leads through a symbolic link, or leaves its folder"
    case .noLibrary: "there is no library in it"
    case .otherFilesystem where operation == "open":
      "on another filesystem than the rest of the library, which must be on one"
    case .libraryMoved:
      "the library is no longer here, because its folder was renamed or moved, or its disk "
        + "unmounted, while this command ran"
    case .notALibrary:
      "damaged, so this library cannot be used"
    case .notEmpty: "neither empty nor a library"
    case .newerFormat: "written by a newer version of Holdfast"
    case .watched: "another holdfast watch is at work there"
    case .watchLimit:
      "more folders are in it than the system watches, so it is checked once a minute"
    case .folderMissing, .parentMissing: "the folder does not exist"
    case .insideLibrary: "is inside a Holdfast library"
    case .folderNotEmpty: "not an empty folder"
    case .stillWritten:
      "another process still has it open for writing"
    case .notAFolder: "a file or a link where the library keeps a folder"
    case .interruptedErase:
      "set aside by an interrupted erase; the next command that writes brings it back, "
        + "after a day if another computer began the erase"
    case .networkFilesystem:
      "on a network filesystem (\((detail ?? "of no known type").escapedForDisplay)), where "
        + "recordings can be lost when two computers write at once"
    case .mayReplace:
      "not made: this filesystem can neither link a file nor rename one without replacing another"
    case .fileLocked:
      "kept locked by \(detail ?? "another program")"
    case .damagedBag: "damaged, so it cannot be relied on: \((detail ?? "").escapedForDisplay)"
    case .obstacle:
      "not in the backup's list, and in the way of a new file"
    case .foreignBag: "has backups of another library"
    case .insideBag:
      "is or is in a backup, which is never changed"
    case .changed: "changed by another command meanwhile, so it stays"
    case .mountPoint: "a disk is mounted there"
    case .noBag: "there is no backup in it"
    case .tooLarge: detail ?? "larger than what is read"
    case .notRestored:
      "left in quarantine, because only files from \(RelativePath.root) are put back"
    default:
      "could not \(operation): \(word(code, errno))"
    }
  }

  private static func word(_ code: Code, _ errno: CInt?) -> String {
    if let errno { return SystemCalls.word(for: errno) }
    return code == .exists ? "it already exists" : code.rawValue
  }
}
