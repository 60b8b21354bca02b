internal import Glibc

/// How a name is given where nothing is, on filesystems that know no `RENAME_NOREPLACE`.
extension SystemCalls {
  /// A folder takes at most an empty folder's place: for anything else the system refuses.
  static func renameFolder(_ old: Place, to new: Place) throws(StorageError) {
    guard try identity(of: new) == nil else {
      throw StorageError(.exists, "make", path: new.path, errno: EEXIST)
    }
    try rename(old, replacing: new)
  }

  /// Never replaces anything; between the two steps the file has both names.
  static func linkAndUnlink(_ old: Place, _ new: Place) throws(StorageError) {
    do throws(StorageError) {
      try link(old, new)
    } catch let error where error.isForWantOfLinks {
      throw StorageError(.mayReplace, "make", path: new.path, errno: error.errno)
    }
    do throws(StorageError) {
      try unlink(old)
    } catch {
      guard try isStillNamed(old, beside: new, orThrow: error) else { return }
      try? unlink(new)
      throw error
    }
  }

  /// Whether a file still has the name that could not be removed. NFS reports a name that it has removed
  /// as missing when it asks twice, and a disk may fail after it has written: then `new` is the last name.
  ///
  /// - Throws: `failure` where that cannot be told. Both names stay, and recovery compares their bytes.
  private static func isStillNamed(
    _ old: Place, beside new: Place, orThrow failure: StorageError
  ) throws(StorageError) -> Bool {
    let (first, second): (FileIdentity?, FileIdentity?)
    do throws(StorageError) {
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

extension StorageError {
  /// Whether a filesystem has no second names for files, or no more for this one.
  var isForWantOfLinks: Bool { [EPERM, ENOSYS, EOPNOTSUPP, EMLINK].contains(errno) }
}
