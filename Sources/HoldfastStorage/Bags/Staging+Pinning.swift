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
    let name = Self.nameOfPin(number)
    guard let file = try directory.existingFile(name, O_RDONLY) else {
      throw StorageError(.missing, "open", path: directory.place(name).path, errno: ENOENT)
    }
    return file
  }
}

extension LibraryTree {
  /// Visits each thing in the library's quarantine that is not a folder.
  ///
  /// - Parameters:
  ///   - visit: Takes a path relative to the library's folder, and its identity.
  ///   - fail: Takes the path of what cannot be looked at, and the error.
  public func forEachQuarantinedFile(
    _ visit: (_ path: [UInt8], _ identity: FileIdentity) throws -> Void,
    orFail fail: (_ path: [UInt8], _ error: StorageError) throws -> Void
  ) throws {
    let quarantine: Directory?
    do throws(StorageError) { quarantine = try directory.existing(Layout.quarantine) } catch {
      return try fail(Array(Layout.quarantine.utf8), error)
    }
    try quarantine?.forEachFile(under: Layout.quarantine, visit, orFail: fail)
  }

  /// The backup of which the library's folder is the data; `nil` for any other library.
  ///
  /// It can only be read. Not even a lock is made in it, because its list names all of its files.
  public var bag: Bag? { Bag(ofData: directory) }

  /// Whether the library is the data of a backup, even of one whose description is damaged.
  public var isInBackup: Bool { Bag.isData(directory) }

  /// Returns whether a journal is beside the catalog: a writer's, unless the library is in a backup.
  public func hasCatalogJournal() throws(StorageError) -> Bool {
    try files.hasJournal(beside: Layout.catalog)
  }

  /// Refuses to change the library in a backup.
  ///
  /// - Throws: ``StorageError`` with the code `insideBag`.
  func refuseBag() throws(StorageError) {
    guard isInBackup else { return }
    throw StorageError(.insideBag, "change", path: path)
  }
}
