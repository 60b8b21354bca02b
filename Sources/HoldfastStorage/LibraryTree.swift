internal import Glibc

/// A library's folder: its files, and the steps that change them.
///
/// It owns a descriptor of the folder; everything in it is reached from there.
public final class LibraryTree: Sendable {
  /// The folder's path, as it was given.
  public let path: String
  /// What the library says of itself.
  public let marker: LibraryMarker
  let directory: Directory

  init(path: String, marker: LibraryMarker, directory: Directory) {
    self.path = path
    self.marker = marker
    self.directory = directory
  }

  /// Opens a library, and writes nothing.
  ///
  /// - Parameter path: The library's folder.
  /// - Returns: `nil` if there is no such folder, or no library in it.
  /// - Throws: ``StorageError``: `notALibrary` when the marker is damaged, `newerFormat`, or what
  ///   the system says.
  public static func open(at path: String) throws(StorageError) -> LibraryTree? {
    guard let directory = try folder(at: path), let marker = try LibraryMarker.read(in: directory)
    else { return nil }
    return LibraryTree(path: path, marker: marker, directory: directory)
  }

  /// Opens the folder itself; `nil` if there is none. Here a symbolic link is the person's own.
  static func folder(at path: String) throws(StorageError) -> Directory? {
    do throws(StorageError) {
      return Directory(file: try SystemCalls.open(Place(path), O_RDONLY | O_DIRECTORY))
    } catch let error where error.code == .missing {
      return nil
    }
  }

  /// The path of the catalog's file.
  public var catalogPath: String { directory.place(Layout.catalog).path }

  /// Whether the library's filesystem knows whose a file is and who may read it: those of sticks and
  /// cards do not.
  public var hasPermissions: Bool {
    let (fat, exfat): (UInt32, UInt32) = (0x4D44, 0x2011_BAB0)
    let type = SystemCalls.filesystemType(of: directory.file)
    return type != fat && type != exfat
  }

  /// How many bytes this user may still write on the library's disk.
  ///
  /// - Throws: ``StorageError`` when the system cannot say.
  public func availableBytes() throws(StorageError) -> Int64 {
    try SystemCalls.availableBytes(on: directory.file)
  }

  /// Runs `body` while nobody else, in this process or another, changes the library.
  ///
  /// It waits as long as it takes. The lock is not recursive: `body` must not ask for it again.
  ///
  /// - Parameter body: Short steps only; it is lent the lock.
  /// - Returns: What `body` returns.
  /// - Throws: ``StorageError`` when the lock cannot be taken, and what `body` throws.
  public func withWriterLock<T>(_ body: (borrowing WriterLock) throws -> T) throws -> T {
    let lock = try WriterLock.acquire(in: directory)
    return try body(lock)
  }
}
