import Glibc
package import HoldfastModel
import Synchronization

extension Staging {
  /// Gives one of the library's files a second name here, so that a deletion cannot remove it while
  /// it is copied. A link is not followed.
  ///
  /// - Returns: `false` if it is missing, if its folder cannot be read or cannot hold it, or where
  ///   the filesystem has no links.
  package func pin(
    _ path: [UInt8], under lock: borrowing WriterLock
  ) throws(HoldfastError) -> Bool {
    let number = state.withLock { $0.pins }
    do throws(HoldfastError) {
      let (folder, oldName) = try library.parent(of: path)
      let place = directory.place(Self.nameOfPin(number))
      try SystemCalls.link(DirectoryRelativePath(in: folder.file, oldName), place)
    } catch let error
      where [.missing, .unsafePath].contains(error.code) || error.lacksHardLinks
      || [EACCES, ENOTDIR, ENAMETOOLONG].contains(error.errno)
    {
      return false
    }
    state.withLock { $0.pins += 1 }
    return true
  }

  static func nameOfPin(_ number: Int) -> String { "file-\(number)" }

  package func openPinned(_ number: Int) throws(HoldfastError) -> OpenFile {
    try directory.openFile(Self.nameOfPin(number))
  }
}

extension LibraryTree {
  /// The backup whose data is the library's folder; `nil` for any other library.
  ///
  /// Such a library can only be read. Not even a lock is made in it, because the backup's list
  /// names all of its files.
  package var bag: Bag? { Bag(ofData: directory) }

  /// Whether the library is the data of a backup, even of one whose description is damaged.
  package var isInBackup: Bool { Bag.isData(directory) }
}
