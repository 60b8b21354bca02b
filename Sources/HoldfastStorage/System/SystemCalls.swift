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

  // MARK: Reading and writing

  /// Returns how many bytes were read: 0 at the end. The corresponding C function is `pread`.
  static func read(
    _ file: OpenFile, into buffer: inout [UInt8], at offset: Int64
  ) throws(HoldfastError) -> Int {
    try check("read", file.path) { pread(file.descriptor, &buffer, buffer.count, off_t(offset)) }
  }

  /// Writes all bytes, in as many calls of the C function `write` as it takes.
  static func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(HoldfastError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try check("write", file.path) {
        rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes bytes at an offset, in as many calls as it takes. The corresponding C function is
  /// `pwritev`. Nothing else here calls it, so that a test can make only these writes fail.
  static func write(
    _ bytes: ArraySlice<UInt8>, to file: OpenFile, at offset: Int
  ) throws(HoldfastError) {
    var rest = bytes
    while !rest.isEmpty {
      let position = offset + bytes.count - rest.count
      let count = try check("write", file.path) {
        rest.withUnsafeBytes { buffer in
          var part = iovec(
            iov_base: UnsafeMutableRawPointer(mutating: buffer.baseAddress), iov_len: buffer.count)
          return pwritev(file.descriptor, &part, 1, position)
        }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Adds zeros to a file. The corresponding C function is `pwrite`.
  static func extend(_ file: OpenFile, by count: Int) throws(HoldfastError) {
    let end = try identity(of: file).size
    let zeros = [UInt8](repeating: 0, count: count)
    var written = 0
    while written < count {
      written += try check("write", file.path) {
        pwrite(file.descriptor, zeros, count - written, off_t(end) + off_t(written))
      }
    }
  }

  static func truncate(_ file: OpenFile, to size: Int) throws(HoldfastError) {
    _ = try check("cut", file.path) { ftruncate(file.descriptor, size) }
  }

  /// Waits until a file or folder is on the disk. The corresponding C function is `fsync`.
  static func sync(_ file: OpenFile) throws(HoldfastError) {
    do throws(HoldfastError) {
      _ = try check("sync", file.path) { fsync(file.descriptor) }
    } catch let error where error.errno == EINVAL {
      // A filesystem that cannot sync a folder (some FUSE ones) promises nothing.
    }
  }

  /// Makes an empty file in memory. The corresponding C function is `memfd_create`.
  static func memoryFile() throws(HoldfastError) -> OpenFile {
    let name = "memory"
    let descriptor = try check("make", name) {
      unsafe name.withCString { unsafe holdfast_memory_file($0) }
    }
    return OpenFile(owning: descriptor, path: name)
  }

  /// Waits until everything written to the filesystem that a file is on is on the disk. The
  /// corresponding C function is `syncfs`.
  static func syncFilesystem(of file: OpenFile) throws(HoldfastError) {
    _ = try check("sync", file.path) { holdfast_sync_filesystem(file.descriptor) }
  }

  /// Has an empty file share the bytes of another one, until one of them is changed; `false` if the
  /// filesystem cannot. The corresponding C call is `ioctl` with `FICLONE`.
  static func clone(_ file: OpenFile, to target: OpenFile) -> Bool {
    holdfast_clone_file(target.descriptor, file.descriptor) == 0
  }

  /// Sets when a file's bytes last changed, in nanoseconds since 1970. The corresponding C function
  /// is `futimens`.
  static func setModificationTime(_ time: Int64, of file: OpenFile) throws(HoldfastError) {
    let second: Int64 = 1_000_000_000
    let seconds = time >= 0 ? time / second : (time - second + 1) / second
    let moment = timespec(tv_sec: Int(seconds), tv_nsec: Int(time - seconds * second))
    _ = try check("set the time of", file.path) { futimens(file.descriptor, [moment, moment]) }
  }

  /// Whether a process has a file open for writing; `false` where the filesystem has no leases. The
  /// file must be open here for reading only. The corresponding C function is `fcntl` with
  /// `F_SETLEASE`.
  static func hasWriters(_ file: OpenFile) -> Bool { knownWriters(of: file) == true }

  /// Like ``hasWriters(_:)``, but `nil` where the filesystem has no leases, or gives this user
  /// none.
  static func knownWriters(of file: OpenFile) -> Bool? {
    switch holdfast_try_read_lease(file.descriptor) {
    case 0: false
    case EAGAIN: true
    default: nil
    }
  }

  /// Sets a file's time to now, by its filesystem's clock, and returns that time in seconds since
  /// 1970. The corresponding C function is `futimens`.
  static func touch(_ file: OpenFile) throws(HoldfastError) -> Int64 {
    _ = try check("set the time of", file.path) { futimens(file.descriptor, nil) }
    return try modificationTime(of: file)
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

  // MARK: Locking

  /// Returns a watch that reports when any process, including this one, closes a file; `nil` where
  /// the system has no watches left. The corresponding C functions are `inotify_init1` and
  /// `inotify_add_watch`.
  static func watchClosing(of file: OpenFile) -> OpenFile? {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let watch = OpenFile(owning: descriptor, path: file.path)
    let events = UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    let isWatched = inotify_add_watch(descriptor, "/proc/self/fd/\(file.descriptor)", events) >= 0
    return isWatched ? watch : nil
  }

  /// Waits until a watch reports something, but not longer than this, and consumes the report. The
  /// corresponding C functions are `poll` and `read`.
  static func wait(for watch: OpenFile?, milliseconds: CInt) {
    // `poll` ignores a negative descriptor.
    var entry = pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0, let watch else { return }
    var events = [UInt8](repeating: 0, count: 4096)
    _ = Glibc.read(watch.descriptor, &events, events.count)
  }

  /// The unit of time in `/proc`, in ticks per second. The corresponding C function is `sysconf`.
  static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  static func device(_ major: UInt32, _ minor: UInt32) -> UInt64 { holdfast_device(major, minor) }

  /// Takes the lock if it is free. The corresponding C function is `flock`.
  static func tryLock(_ file: OpenFile, shared: Bool = false) throws(HoldfastError) -> Bool {
    do throws(HoldfastError) {
      _ = try check("lock", file.path) {
        holdfast_flock(file.descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
      }
      return true
    } catch let error where error.errno == EWOULDBLOCK {
      return false
    }
  }

  /// Releases the lock at once, even if a forked child still has the descriptor.
  static func unlock(_ file: OpenFile) { _ = holdfast_flock(file.descriptor, LOCK_UN) }
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
