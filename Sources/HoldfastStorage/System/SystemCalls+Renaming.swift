import Glibc
import HoldfastModel

/// Renaming without replacing anything, on filesystems without `RENAME_NOREPLACE`.
extension SystemCalls {
  /// Renames a folder if the new name is free. If something takes the name meanwhile, at most an
  /// empty folder is replaced: the system refuses to replace anything else.
  static func renameFolder(_ old: DirectoryRelativePath, to new: DirectoryRelativePath)
    throws(HoldfastError)
  {
    guard try identity(of: new) == nil else {
      throw HoldfastError(.exists, operation: "make", path: new.path, errno: EEXIST)
    }
    try rename(old, replacing: new)
  }

  /// Renames a file, and never replaces anything. Between the two steps the file has both names.
  static func linkAndUnlink(_ old: DirectoryRelativePath, _ new: DirectoryRelativePath)
    throws(HoldfastError)
  {
    do throws(HoldfastError) {
      try link(old, new)
    } catch let error where error.lacksHardLinks {
      throw HoldfastError(.mayReplace, operation: "make", path: new.path, errno: error.errno)
    }
    do throws(HoldfastError) {
      try unlink(old)
    } catch {
      guard try isStillNamed(old, beside: new, orThrow: error) else { return }
      try? unlink(new)
      throw error
    }
  }

  /// Whether a file still has the name that could not be removed.
  ///
  /// NFS may ask twice, and then reports a name that it has removed as missing. A disk may report
  /// an error after it has written. In both cases `new` is the last name.
  ///
  /// - Throws: `failure` when that cannot be told. Both names then stay, and recovery compares
  ///   their bytes.
  private static func isStillNamed(
    _ old: DirectoryRelativePath, beside new: DirectoryRelativePath, orThrow failure: HoldfastError
  ) throws(HoldfastError) -> Bool {
    let (first, second): (FileIdentity?, FileIdentity?)
    do throws(HoldfastError) {
      (first, second) = (try identity(of: old), try identity(of: new))
    } catch {
      throw failure
    }
    guard let second else { throw failure }
    guard let first else { return false }
    guard first.isSameFile(as: second) else { throw failure }
    return true
  }
}

extension HoldfastError {
  /// Whether the filesystem has no hard links, or allows no more of them for this file.
  package var lacksHardLinks: Bool { [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) }
}
