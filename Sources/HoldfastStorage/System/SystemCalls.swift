internal import CLinux
internal import Glibc

/// The system calls of this room: C's results become values or a ``StorageError`` here, and
/// nowhere else.
enum SystemCalls {
  /// Calls until nothing interrupts, and turns a negative result into an error.
  private static func check<Result: SignedInteger>(
    _ operation: String, _ path: @autoclosure () -> String, _ call: () -> Result
  ) throws(StorageError) -> Result {
    while true {
      let result = call()
      if result >= 0 { return result }
      let number = errno
      if number == EINTR { continue }
      throw StorageError(code(of: number), operation, path: path(), errno: number)
    }
  }

  private static func code(of number: CInt) -> StorageError.Code {
    switch number {
    case ENOENT: .missing
    case EEXIST: .exists
    case ELOOP: .unsafePath
    case EXDEV: .otherFilesystem
    default: .system
    }
  }

  /// The system's own words for an error.
  static func word(for number: CInt) -> String { String(cString: strerror(number)) }

  /// What a person can do about an error, if anything.
  static func wayOut(of number: CInt) -> String? {
    switch number {
    case ENOSPC: "free some space and try again"
    case EDQUOT: "your quota is used up: free some space and try again"
    case EACCES, EPERM: "check who owns it and what its permissions are"
    case EROFS: "make the disk writable, or use a library on another one"
    case EIO: "the disk may be failing: check it, and your backup"
    case EMFILE, ENFILE: "raise the limit on open files, or do less at once"
    default: nil
    }
  }

  /// A name as C wants it. A NUL inside would silently name another file.
  private static func cString(_ place: Place, _ operation: String) throws(StorageError) -> [CChar] {
    guard !place.name.contains(0) else {
      throw StorageError(.unsafePath, operation, path: place.path)
    }
    return place.name.map { CChar(bitPattern: $0) } + [0]
  }

  // MARK: Opening and closing

  /// The corresponding C function is `openat`; the descriptor is closed on exec.
  static func open(
    _ place: Place, _ flags: CInt, mode: mode_t = 0o600
  ) throws(StorageError) -> OpenFile {
    let name = try cString(place, "open")
    let descriptor = try check("open", place.path) {
      openat(place.descriptor, name, flags | O_CLOEXEC, mode)
    }
    return OpenFile(owning: descriptor, path: place.path)
  }

  /// The flag that opens a name only to look at it, a symbolic link itself among others.
  static let onlyToLookAt = holdfast_o_path

  /// The corresponding C function is `openat2`, beneath the folder and through no symbolic link.
  static func openBeneath(_ place: Place, _ flags: CInt) throws(StorageError) -> OpenFile {
    let name = try cString(place, "open")
    do throws(StorageError) {
      let descriptor = try check("open", place.path) {
        holdfast_open_beneath(place.descriptor, name, flags)
      }
      return OpenFile(owning: descriptor, path: place.path)
    } catch let error where error.errno == EXDEV {
      throw StorageError(.unsafePath, "open", path: place.path, errno: EXDEV)
    }
  }

  /// The same, and nothing that is mounted on the way: then the error is `otherFilesystem`.
  static func openOnSameMount(_ place: Place, _ flags: CInt) throws(StorageError) -> OpenFile {
    let name = try cString(place, "open")
    let descriptor = try check("open", place.path) {
      holdfast_open_on_same_mount(place.descriptor, name, flags)
    }
    return OpenFile(owning: descriptor, path: place.path)
  }

  /// The corresponding C function is `close`. Linux has closed even when it was interrupted.
  static func close(_ descriptor: CInt) { _ = Glibc.close(descriptor) }

  // MARK: Looking

  /// The corresponding C function is `fstat`.
  static func identity(of file: OpenFile) throws(StorageError) -> FileIdentity {
    FileIdentity(try status(of: file))
  }

  /// The corresponding C function is `fstatat`; links are not followed unless asked for, and `nil`
  /// is nothing there.
  static func identity(
    of place: Place, followingLinks: Bool = false
  ) throws(StorageError) -> FileIdentity? {
    try status(of: place, followingLinks: followingLinks).map(FileIdentity.init)
  }

  /// When a file or folder last changed, in seconds since 1970.
  static func modificationTime(of file: OpenFile) throws(StorageError) -> Int64 {
    Int64(try status(of: file).st_mtim.tv_sec)
  }

  /// The same for a name; `nil` is nothing there.
  static func modificationTime(of place: Place) throws(StorageError) -> Int64? {
    try status(of: place).map { Int64($0.st_mtim.tv_sec) }
  }

  private static func status(
    of place: Place, followingLinks: Bool = false
  ) throws(StorageError) -> stat? {
    let name = try cString(place, "look at")
    var status = stat()
    do throws(StorageError) {
      _ = try check("look at", place.path) {
        fstatat(
          place.descriptor, name, &status, followingLinks ? 0 : AT_SYMLINK_NOFOLLOW)
      }
    } catch let error where error.code == .missing {
      return nil
    }
    return status
  }

  private static func status(of file: OpenFile) throws(StorageError) -> stat {
    var status = stat()
    _ = try check("look at", file.path) { fstat(file.descriptor, &status) }
    return status
  }

  /// What a folder holds, in the order of the names' bytes.
  ///
  /// The corresponding C functions are `fdopendir` and `readdir`.
  static func entries(of directory: OpenFile) throws(StorageError) -> [DirectoryEntry] {
    // A description of its own: `readdir` moves the offset, and `closedir` closes.
    let descriptor = try check("list", directory.path) {
      openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = fdopendir(descriptor) else {
      let number = errno
      close(descriptor)
      throw StorageError(.system, "list", path: directory.path, errno: number)
    }
    defer { closedir(stream) }
    var entries: [DirectoryEntry] = []
    while true {
      errno = 0
      // SAFETY: the entry is read before the next call, which may overwrite it.
      guard let entry = readdir(stream) else {
        let number = errno
        guard number == 0 else {
          throw StorageError(.system, "list", path: directory.path, errno: number)
        }
        return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
      }
      guard let pointer = holdfast_entry_name(entry) else { continue }
      let name = Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      let kind = try kind(entry.pointee.d_type, of: Place(in: directory, name))
      entries.append(DirectoryEntry(name: name, kind: kind))
    }
  }

  /// Some filesystems do not say in `readdir` what a name is.
  private static func kind(
    _ type: UInt8, of place: Place
  ) throws(StorageError) -> FileIdentity.Kind {
    switch CInt(type) {
    case CInt(DT_REG): .regular
    case CInt(DT_DIR): .directory
    case CInt(DT_LNK): .symbolicLink
    case CInt(DT_FIFO): .fifo
    case CInt(DT_UNKNOWN): try identity(of: place)?.kind ?? .other
    default: .other
    }
  }

  /// The corresponding C function is `realpath`; `nil` when there is no such path.
  static func realPath(_ place: Place) -> [UInt8]? {
    guard let name = try? cString(place, "resolve"), let pointer = realpath(name, nil) else {
      return nil
    }
    defer { free(pointer) }
    return Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
  }

  /// Bytes that this user may still write. The corresponding C function is `fstatvfs`.
  static func availableBytes(on file: OpenFile) throws(StorageError) -> Int64 {
    var status = statvfs()
    _ = try check("ask for the free space of", file.path) { fstatvfs(file.descriptor, &status) }
    let (bytes, overflow) = UInt64(status.f_bavail)
      .multipliedReportingOverflow(by: UInt64(status.f_frsize))
    return overflow ? .max : Int64(clamping: bytes)
  }

  /// The filesystem's magic number; `nil` if it has none. The corresponding C function is `fstatfs`.
  static func filesystemType(of file: OpenFile) -> UInt32? {
    UInt32(exactly: holdfast_filesystem_type(file.descriptor))
  }

  // MARK: Reading and writing

  /// How many bytes were read; 0 at the end. The corresponding C function is `pread`.
  static func read(
    _ file: OpenFile, into buffer: inout [UInt8], at offset: Int64
  ) throws(StorageError) -> Int {
    try check("read", file.path) { pread(file.descriptor, &buffer, buffer.count, off_t(offset)) }
  }

  /// The corresponding C function is `write`, until everything is written.
  static func write(_ bytes: ArraySlice<UInt8>, to file: OpenFile) throws(StorageError) {
    var rest = bytes
    while !rest.isEmpty {
      let count = try check("write", file.path) {
        rest.withUnsafeBytes { Glibc.write(file.descriptor, $0.baseAddress, $0.count) }
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Writes bytes at an offset, however many calls that takes. The corresponding C function is
  /// `pwritev`: nothing else here calls it, so a test can have just these writes fail.
  static func write(
    _ bytes: ArraySlice<UInt8>, to file: OpenFile, at offset: Int
  ) throws(StorageError) {
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

  /// Cuts a file to this many bytes. The corresponding C function is `ftruncate`.
  static func truncate(_ file: OpenFile, to size: Int) throws(StorageError) {
    _ = try check("cut", file.path) { ftruncate(file.descriptor, size) }
  }

  /// Waits until file or folder are on the disk. The corresponding C function is `fsync`.
  static func sync(_ file: OpenFile) throws(StorageError) {
    do throws(StorageError) {
      _ = try check("sync", file.path) { fsync(file.descriptor) }
    } catch let error where error.errno == EINVAL {
      // A filesystem that cannot sync a folder (some FUSE ones) has nothing to promise.
    }
  }

  /// Whether somebody can still write to a file that is open here for reading alone: a process that has
  /// it open for writing. `false` where the filesystem has no leases.
  ///
  /// The corresponding C function is `fcntl` with `F_SETLEASE`.
  static func hasWriters(_ file: OpenFile) -> Bool {
    holdfast_try_read_lease(file.descriptor) == EAGAIN
  }

  /// Sets a file's time to now, by the clock of its filesystem, and says what that is in seconds since
  /// 1970. The corresponding C function is `futimens`.
  static func touch(_ file: OpenFile) throws(StorageError) -> Int64 {
    _ = try check("set the time of", file.path) { futimens(file.descriptor, nil) }
    return try modificationTime(of: file)
  }

  // MARK: Changing the tree

  /// Makes a folder for its owner alone, whatever the umask.
  ///
  /// The corresponding C functions are `mkdirat` and `fchmodat`.
  static func makeDirectory(_ place: Place) throws(StorageError) {
    let name = try cString(place, "make")
    _ = try check("make", place.path) { mkdirat(place.descriptor, name, 0o700) }
    _ = try check("make", place.path) { fchmodat(place.descriptor, name, 0o700, 0) }
  }

  /// Takes every permission but its owner's. The corresponding C function is `fchmod`.
  static func setMode(_ mode: mode_t, of file: OpenFile) throws(StorageError) {
    guard try status(of: file).st_mode & 0o7777 != mode else { return }
    _ = try check("make private", file.path) { fchmod(file.descriptor, mode) }
  }

  /// The same for a name, which may be one that cannot be opened; it must not be a link's.
  ///
  /// The corresponding C function is `fchmodat` with `AT_SYMLINK_NOFOLLOW`.
  static func setMode(_ mode: mode_t, of place: Place) throws(StorageError) {
    let name = try cString(place, "make private")
    _ = try check("make private", place.path) {
      fchmodat(place.descriptor, name, mode, AT_SYMLINK_NOFOLLOW)
    }
  }

  /// The corresponding C function is `renameat`.
  static func rename(_ old: Place, replacing new: Place) throws(StorageError) {
    let (from, to) = (try cString(old, "rename"), try cString(new, "rename"))
    _ = try check("rename", old.path) { renameat(old.descriptor, from, new.descriptor, to) }
  }

  /// Renames where nothing is.
  ///
  /// The corresponding C function is `renameat2` with `RENAME_NOREPLACE`.
  ///
  /// - Throws: ``StorageError``: `exists`, or `mayReplace` where the filesystem has no way to do it.
  static func rename(_ old: Place, to new: Place) throws(StorageError) {
    let (from, to) = (try cString(old, "rename"), try cString(new, "rename"))
    do throws(StorageError) {
      _ = try check("make", new.path) {
        holdfast_rename_no_replace(old.descriptor, from, new.descriptor, to)
      }
    } catch let error where [EINVAL, ENOSYS].contains(error.errno) {
      // NFS and some others do not know the flag. A look beforehand would leave a gap: the lock that
      // keeps everyone out of it may be known to this computer only.
      if try identity(of: old)?.kind == .directory {
        try renameFolder(old, to: new)
      } else {
        try linkAndUnlink(old, new)
      }
    }
  }

  /// Gives a file another name as well; a link gets a name, not what it points to.
  ///
  /// The corresponding C function is `linkat`.
  static func link(_ old: Place, _ new: Place) throws(StorageError) {
    let (from, to) = (try cString(old, "link"), try cString(new, "link"))
    _ = try check("link", new.path) {
      linkat(old.descriptor, from, new.descriptor, to, 0)
    }
  }

  /// Removes a name, or an empty folder; never what a link points to.
  ///
  /// The corresponding C function is `unlinkat`.
  static func unlink(_ place: Place, directory: Bool = false) throws(StorageError) {
    let name = try cString(place, "remove")
    _ = try check("remove", place.path) {
      unlinkat(place.descriptor, name, directory ? AT_REMOVEDIR : 0)
    }
  }

  // MARK: Locking

  /// Tells when somebody closes a file, this one's own descriptor or another; `nil` where the system has
  /// no more of them. The corresponding C functions are `inotify_init1` and `inotify_add_watch`.
  static func watchClosing(of file: OpenFile) -> OpenFile? {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { return nil }
    let watch = OpenFile(owning: descriptor, path: file.path)
    let events = UInt32(IN_CLOSE_WRITE | IN_CLOSE_NOWRITE)
    let isWatched = inotify_add_watch(descriptor, "/proc/self/fd/\(file.descriptor)", events) >= 0
    return isWatched ? watch : nil
  }

  /// Waits until a watch has something to tell, but no longer than that; and takes what it tells.
  ///
  /// The corresponding C functions are `poll` and `read`.
  static func wait(for watch: OpenFile?, milliseconds: CInt) {
    // A negative descriptor is passed over.
    var entry = pollfd(fd: watch?.descriptor ?? -1, events: Int16(POLLIN), revents: 0)
    guard poll(&entry, 1, milliseconds) > 0, let watch else { return }
    var events = [UInt8](repeating: 0, count: 4096)
    _ = Glibc.read(watch.descriptor, &events, events.count)
  }

  /// What `/proc` counts time in. The corresponding C function is `sysconf`.
  static let ticksPerSecond = Double(sysconf(Int32(_SC_CLK_TCK)))

  /// The number of a device as `stat` has it. The corresponding C macro is `makedev`.
  static func device(_ major: UInt32, _ minor: UInt32) -> UInt64 { holdfast_device(major, minor) }

  /// Takes the lock if nobody holds it. The corresponding C function is `flock`.
  static func tryLock(_ file: OpenFile, shared: Bool = false) throws(StorageError) -> Bool {
    do throws(StorageError) {
      _ = try check("lock", file.path) {
        holdfast_flock(file.descriptor, (shared ? LOCK_SH : LOCK_EX) | LOCK_NB)
      }
      return true
    } catch let error where error.errno == EWOULDBLOCK {
      return false
    }
  }

  /// Releases at once, even if a forked child still has the descriptor.
  static func unlock(_ file: OpenFile) { _ = holdfast_flock(file.descriptor, LOCK_UN) }
}

extension Place {
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
  /// A stranger's filesystem may claim any time: compared, never calculated with, so it may wrap.
  fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
