import CLinux
import Glibc
import HoldfastModel

/// The system calls of this module. C results become values or a `HoldfastError` here, and
/// nowhere else.
enum SystemCalls {
  /// Repeats a call while signals interrupt it, and turns a negative result into an error.
  static func check<Result: SignedInteger>(
    _ operation: String, _ path: @autoclosure () -> String, _ call: () -> Result
  ) throws(HoldfastError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number == EINTR { continue }
      throw HoldfastError(code(of: number), operation: operation, path: path(), errno: number)
    }
  }

  private static func code(of number: CInt) -> HoldfastError.Code {
    switch number {
    case ENOENT: .missing
    case EEXIST: .exists
    case ELOOP: .unsafePath
    case EXDEV: .otherFilesystem
    default: .system
    }
  }

  static func word(for number: CInt) -> String { String(cString: strerror(number)) }

  /// Refuses a name with a NUL inside, because C would silently cut the name there.
  static func cString(_ place: DirectoryRelativePath, _ operation: String) throws(HoldfastError)
    -> [CChar]
  {
    guard !place.name.contains(0) else {
      throw HoldfastError(.unsafePath, operation: operation, path: place.path)
    }
    return place.name.map { CChar(truncatingIfNeeded: $0) } + [0]
  }

  // MARK: Opening and closing

  /// Opens a name with the C function `openat`. The descriptor is closed on exec.
  static func open(
    _ place: DirectoryRelativePath, _ flags: CInt, mode: mode_t = 0o600
  ) throws(HoldfastError) -> OpenFile {
    let name = try cString(place, "open")
    let descriptor = try check("open", place.path) {
      openat(place.descriptor, name, flags | O_CLOEXEC, mode)
    }
    return OpenFile(owning: descriptor, path: place.path)
  }

  /// The flag that opens a name only to examine it, even if it is a symbolic link.
  static let pathOnly = holdfast_o_path

  /// Opens a path with the C function `openat2`, beneath the folder and through no symbolic link.
  static func openBeneath(_ place: DirectoryRelativePath, _ flags: CInt) throws(HoldfastError)
    -> OpenFile
  {
    do throws(HoldfastError) {
      return try open(place, flags, resolving: holdfast_beneath)
    } catch let error where error.errno == EXDEV {
      throw HoldfastError(.unsafePath, operation: "open", path: place.path, errno: EXDEV)
    }
  }

  /// Opens a path with the C function `openat2`, through no symbolic link: a link throws
  /// `unsafePath`.
  static func openThroughNoLink(_ place: DirectoryRelativePath, _ flags: CInt) throws(HoldfastError)
    -> OpenFile
  {
    try open(place, flags, resolving: holdfast_no_link)
  }

  /// Opens a path as ``openBeneath(_:_:)`` does. A mount on the path throws `otherFilesystem`.
  static func openOnSameMount(_ place: DirectoryRelativePath, _ flags: CInt) throws(HoldfastError)
    -> OpenFile
  {
    try open(place, flags, resolving: holdfast_same_mount)
  }

  private static func open(
    _ place: DirectoryRelativePath, _ flags: CInt, resolving resolve: UInt64
  ) throws(HoldfastError) -> OpenFile {
    let name = try cString(place, "open")
    let descriptor = try check("open", place.path) {
      holdfast_open(place.descriptor, name, flags, resolve)
    }
    return OpenFile(owning: descriptor, path: place.path)
  }

  /// Closes a descriptor with the C function `close`. Linux closes it even when it was interrupted.
  static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

  // MARK: Looking

  static func identity(of file: OpenFile) throws(HoldfastError) -> FileIdentity {
    FileIdentity(try status(of: file))
  }

  /// Returns the identity of a name, from the C function `fstatat`, or `nil` if nothing is there.
  static func identity(
    of place: DirectoryRelativePath, followingLinks: Bool = false
  ) throws(HoldfastError) -> FileIdentity? {
    try status(of: place, followingLinks: followingLinks).map(FileIdentity.init)
  }

  /// Returns when a file's bytes or a folder's entries last changed, in seconds since 1970.
  static func modificationTime(of file: OpenFile) throws(HoldfastError) -> Int64 {
    Int64(try status(of: file).st_mtim.tv_sec)
  }

  static func modificationTime(of place: DirectoryRelativePath) throws(HoldfastError) -> Int64? {
    try status(of: place).map { Int64($0.st_mtim.tv_sec) }
  }

  private static func status(
    of place: DirectoryRelativePath, followingLinks: Bool = false
  ) throws(HoldfastError) -> stat? {
    let name = try cString(place, "check")
    var status = stat()
    do throws(HoldfastError) {
      _ = try check("check", place.path) {
        fstatat(
          place.descriptor, name, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch let error where error.code == .missing {
      return nil
    }
    return status
  }

  private static func status(of file: OpenFile) throws(HoldfastError) -> stat {
    var status = stat()
    _ = try check("check", file.path) { fstat(file.descriptor, &status) }
    return status
  }

  /// Returns the entries of a folder, in the order of the names' bytes.
  static func entries(of directory: OpenFile) throws(HoldfastError) -> [DirectoryEntry] {
    var reader = try DirectoryReader(directory)
    let entries = try reader.next(atMost: ReadLimit.entries + 1)
    guard entries.count <= ReadLimit.entries else {
      throw HoldfastError(
        .tooLarge, operation: "list", path: directory.path,
        detail: "lists more than \(ReadLimit.entries) entries, and no more are read")
    }
    return entries
  }

  /// Returns the kind of a name. Some filesystems do not report it in `readdir`.
  static func kind(
    _ type: UInt8, of place: DirectoryRelativePath
  ) throws(HoldfastError) -> FileIdentity.Kind {
    switch CInt(type) {
    case CInt(DT_REG): .regular
    case CInt(DT_DIR): .directory
    case CInt(DT_LNK): .symbolicLink
    case CInt(DT_FIFO): .fifo
    case CInt(DT_UNKNOWN): try identity(of: place)?.kind ?? .other
    default: .other
    }
  }

  /// Resolves a path with the C function `realpath`, or returns `nil` if the path is missing.
  static func realPath(_ place: DirectoryRelativePath) -> [UInt8]? {
    guard let name = try? cString(place, "resolve"), let pointer = realpath(name, nil) else {
      return nil
    }
    defer { free(pointer) }
    return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
  }

  /// Returns how many bytes this user may still write; the largest number where the filesystem does
  /// not report its size, as ramfs and some FUSE ones do not. The corresponding C function is
  /// `fstatvfs`.
  static func availableBytes(on file: OpenFile) throws(HoldfastError) -> Int64 {
    var status = statvfs()
    _ = try check("ask for the free space of", file.path) { fstatvfs(file.descriptor, &status) }
    guard status.f_blocks > 0 else { return .max }
    let (bytes, overflow) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// Returns the filesystem's own number, which most filesystems keep when they are mounted again.
  /// The corresponding C function is `fstatvfs`.
  static func filesystemID(of file: OpenFile) throws(HoldfastError) -> UInt64 {
    var status = statvfs()
    _ = try check("ask for the number of", file.path) { fstatvfs(file.descriptor, &status) }
    return UInt64(status.f_fsid)
  }

  /// Returns the filesystem's magic number, or `nil` if the system does not give one. The
  /// corresponding C function is `fstatfs`.
  static func filesystemType(of file: OpenFile) -> UInt32? {
    UInt32(exactly: holdfast_filesystem_type(file.descriptor))
  }

  // MARK: Changing the tree

  /// Makes a folder for its owner alone, whatever the umask. The corresponding C functions are
  /// `mkdirat` and `fchmodat`.
  static func makeDirectory(_ place: DirectoryRelativePath) throws(HoldfastError) {
    let name = try cString(place, "make")
    _ = try check("make", place.path) { mkdirat(place.descriptor, name, 0o700) }
    _ = try check("make", place.path) { fchmodat(place.descriptor, name, 0o700, 0) }
  }

  /// Sets a file's mode, unless it already has that mode. The corresponding C function is `fchmod`.
  static func setMode(_ mode: mode_t, of file: OpenFile) throws(HoldfastError) {
    guard try status(of: file).st_mode & 0o7777 != mode else { return }
    _ = try check("make private", file.path) { fchmod(file.descriptor, mode) }
  }

  /// Sets the mode of a name, even one that cannot be opened. It must not be a link. The
  /// corresponding C function is `fchmodat` with `AT_SYMLINK_NOFOLLOW`.
  static func setMode(_ mode: mode_t, of place: DirectoryRelativePath) throws(HoldfastError) {
    let name = try cString(place, "make private")
    _ = try check("make private", place.path) {
      fchmodat(place.descriptor, name, mode, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// Gives what root has made to the owner of its folder, where the system allows that: a container
  /// may not. The corresponding C function is `fchown`.
  static func give(_ file: OpenFile, toOwnerOf folder: OpenFile) throws(HoldfastError) {
    guard geteuid() == 0 else { return }
    let owner = try status(of: folder)
    guard owner.st_uid != 0, try status(of: file).st_uid == 0 else { return }
    _ = fchown(file.descriptor, owner.st_uid, owner.st_gid)
  }

  static func rename(_ old: DirectoryRelativePath, replacing new: DirectoryRelativePath)
    throws(HoldfastError)
  {
    let (from, to) = (try cString(old, "rename"), try cString(new, "rename"))
    _ = try check("rename", old.path) { renameat(old.descriptor, from, new.descriptor, to) }
  }

  /// Renames, but never replaces anything. The corresponding C function is `renameat2` with
  /// `RENAME_NOREPLACE`.
  ///
  /// - Throws: `HoldfastError`: `exists`, or `mayReplace` where the filesystem has no way to do
  ///   this.
  static func rename(_ old: DirectoryRelativePath, to new: DirectoryRelativePath)
    throws(HoldfastError)
  {
    let (from, to) = (try cString(old, "rename"), try cString(new, "rename"))
    do throws(HoldfastError) {
      _ = try check("make", new.path) {
        holdfast_rename_no_replace(old.descriptor, from, new.descriptor, to)
      }
    } catch let error where [EINVAL, ENOSYS].contains(error.errno) {
      // NFS and some others do not know the flag. A check beforehand would leave a gap, because the
      // lock that stops others may have no effect on another computer.
      if try identity(of: old)?.kind == .directory {
        try renameFolder(old, to: new)
      } else {
        try linkAndUnlink(old, new)
      }
    }
  }

  /// Gives a file a second name. For a link, the link itself gets the name, not its target. The
  /// corresponding C function is `linkat`.
  static func link(_ old: DirectoryRelativePath, _ new: DirectoryRelativePath) throws(HoldfastError)
  {
    let (from, to) = (try cString(old, "link"), try cString(new, "link"))
    _ = try check("link", new.path) {
      linkat(old.descriptor, from, new.descriptor, to, 0)
    }
  }

  static func link(_ file: OpenFile, to new: DirectoryRelativePath) throws(HoldfastError) {
    let name = try cString(new, "link")
    _ = try check("link", new.path) {
      linkat(
        AT_FDCWD, "/proc/self/fd/\(file.descriptor)", new.descriptor, name, AT_SYMLINK_FOLLOW)
    }
  }

  /// Removes a name, or an empty folder. Never removes a link's target. The corresponding C
  /// function is `unlinkat`.
  static func unlink(_ place: DirectoryRelativePath, directory: Bool = false) throws(HoldfastError)
  {
    let name = try cString(place, "remove")
    _ = try check("remove", place.path) {
      unlinkat(place.descriptor, name, directory ? AT_REMOVEDIR : 0)
    }
  }

  /// Refuses a folder in which this user may not make and remove files. The corresponding C
  /// function is `faccessat`.
  static func refuseReadOnly(_ place: DirectoryRelativePath) throws(HoldfastError) {
    let name = try cString(place, "write to")
    _ = try check("write to", place.path) {
      faccessat(place.descriptor, name, W_OK | X_OK, AT_EACCESS)
    }
  }
}

extension DirectoryRelativePath {
  fileprivate var descriptor: CInt { directory?.descriptor ?? AT_FDCWD }
}

extension FileIdentity {
  fileprivate init(_ status: stat) {
    self.init(
      device: UInt64(status.st_dev), inode: UInt64(status.st_ino), size: Int64(status.st_size),
      modified: status.st_mtim.nanoseconds, changed: status.st_ctim.nanoseconds,
      kind: Kind(mode: status.st_mode), permissions: status.st_mode & 0o7777, owner: status.st_uid)
  }
}

extension FileIdentity.Kind {
  fileprivate init(mode: mode_t) {
    self =
      switch mode & S_IFMT {
      case S_IFREG: .regular
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      case S_IFIFO: .fifo
      default: .other
      }
  }
}

extension timespec {
  /// The time in nanoseconds. It may wrap, because an untrusted filesystem may claim any time; it
  /// is only compared, never used in arithmetic.
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
