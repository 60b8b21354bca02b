import CLinux
import Glibc
import HoldfastModel

/// Lists a folder in parts, because a folder may have millions of entries.
///
/// The corresponding C functions are `fdopendir` and `readdir`.
struct DirectoryReader: ~Copyable {
  private let directory: OpenFile
  private let stream: OpaquePointer

  init(_ directory: OpenFile) throws(HoldfastError) {
    // This needs its own open file description: `readdir` moves the offset, and `closedir` closes.
    let descriptor = try SystemCalls.check("list", directory.path) {
      openat(directory.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    }
    guard let stream = fdopendir(descriptor) else {
      let number = errno
      close(descriptor)
      throw HoldfastError(.system, operation: "list", path: directory.path, errno: number)
    }
    self.directory = directory
    self.stream = stream
  }

  deinit { closedir(stream) }

  /// Returns the next entries, in the order of their names' bytes. After the last one it returns
  /// none.
  mutating func next(atMost count: Int) throws(HoldfastError) -> [DirectoryEntry] {
    var entries: [DirectoryEntry] = []
    while entries.count < count {
      errno = 0
      // SAFETY: the entry is read before the next call, which may overwrite it.
      guard let entry = readdir(stream) else {
        let number = errno
        guard number == 0 else {
          throw HoldfastError(.system, operation: "list", path: directory.path, errno: number)
        }
        break
      }
      guard let pointer = holdfast_entry_name(entry) else { continue }
      let name = Array(UnsafeRawBufferPointer(start: pointer, count: strlen(pointer)))
      guard name != Array(".".utf8), name != Array("..".utf8) else { continue }
      let kind = try SystemCalls.kind(
        entry.pointee.d_type, of: DirectoryRelativePath(in: directory, name))
      entries.append(DirectoryEntry(name: name, kind: kind))
    }
    return entries.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }
}

extension Directory {
  /// Visits the entries of a folder in parts, because it may have millions. Each part is in the
  /// order of the names' bytes. `visit` may remove the entry.
  func forEachEntry(
    _ visit: (DirectoryEntry) throws -> Void,
    orFail fail: (HoldfastError) throws -> Void = { throw $0 }
  ) throws {
    var reader: DirectoryReader
    do throws(HoldfastError) { reader = try DirectoryReader(file) } catch { return try fail(error) }
    while true {
      let entries: [DirectoryEntry]
      do throws(HoldfastError) { entries = try reader.next(atMost: Self.part) } catch {
        return try fail(error)
      }
      guard !entries.isEmpty else { return }
      for entry in entries { try visit(entry) }
    }
  }

  /// The most entries of a folder that are in memory at once.
  static let part = 10_000
}
