import CLinux
import Glibc
import HoldfastModel

/// Reading and writing what files contain.
extension SystemCalls {
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
}
