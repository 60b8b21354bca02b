internal import Glibc
internal import HoldfastModel
internal import Synchronization

extension Staging {
  /// Gives one of the library's files a second name here, so that a deletion takes nothing away while
  /// it is copied.
  ///
  /// - Parameters:
  ///   - path: The file's path, relative to the library's folder. A link is not followed.
  ///   - lock: The writer lock.
  /// - Returns: Whether it has one. `false` if it is missing, if its folder cannot be read or cannot have it, or where the
  ///   filesystem has no links.
  /// - Throws: ``StorageError`` when the system refuses.
  public func pin(
    _ path: [UInt8], under lock: borrowing WriterLock
  ) throws(StorageError) -> Bool {
    let number = state.withLock { $0.pins }
    do throws(StorageError) {
      let (folder, oldName) = try library.parent(of: path)
      let place = directory.place(Self.nameOfPin(number))
      try SystemCalls.link(Place(in: folder.file, oldName), place)
    } catch let error
      where [.missing, .unsafePath].contains(error.code) || error.isForWantOfLinks
      || [EACCES, ENOTDIR, ENAMETOOLONG].contains(error.errno)
    {
      return false
    }
    state.withLock { $0.pins += 1 }
    return true
  }

  /// The name of a pinned file.
  ///
  /// - Parameter number: How many were pinned before it.
  static func nameOfPin(_ number: Int) -> String { "file-\(number)" }

  /// Opens a pinned file for reading.
  ///
  /// - Parameter number: How many were pinned before it.
  /// - Throws: ``StorageError``: `notAFile` for anything but a regular file, or a system error.
  public func openPinned(_ number: Int) throws(StorageError) -> OpenFile {
    try directory.openFile(Self.nameOfPin(number))
  }
}

extension LibraryTree {
  /// The backup of which the library's folder is the data; `nil` for any other library.
  ///
  /// It can only be read. Not even a lock is made in it, because its list names all of its files.
  public var bag: Bag? { Bag(ofData: directory) }

  /// Whether the library is the data of a backup, even of one whose description is damaged.
  public var isInBackup: Bool { Bag.isData(directory) }
}
