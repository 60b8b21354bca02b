import Glibc
package import HoldfastModel
import Synchronization

/// Finds many files of a folder and of the folders in it. No symbolic link is followed. It keeps
/// the last folder open, so a file costs no more than one call.
package final class FolderFiles: Sendable {
  private let root: Directory
  private let last = Mutex<(path: [UInt8], folder: Directory)?>(nil)

  init(_ root: Directory) { self.root = root }

  /// Returns the identity of the file at a relative path; `nil` if it is missing, or its folder is
  /// missing or behind a link.
  package func identity(of path: some Sequence<UInt8>) throws(HoldfastError) -> FileIdentity? {
    guard let place = try place(path) else { return nil }
    return try SystemCalls.identity(of: place)
  }

  func hasJournal(beside catalog: String) throws(HoldfastError) -> Bool {
    for end in Layout.catalogSuffixes {
      if try identity(of: (catalog + end).utf8) != nil { return true }
    }
    return false
  }

  /// Returns the place of a file; `nil` if its folder is missing or behind a link.
  func place(_ path: some Sequence<UInt8>) throws(HoldfastError) -> DirectoryRelativePath? {
    let path = Array(path)
    if let last = last.withLock({ $0 }), path.count > last.path.count + 1,
      path.starts(with: last.path),
      path[last.path.count] == Layout.slash
    {
      let name = path[(last.path.count + 1)...]
      if !name.contains(Layout.slash), name.first != UInt8(ascii: ".") {
        return DirectoryRelativePath(in: last.folder.file, Array(name))
      }
    }
    guard var parts = path.components, let name = parts.popLast() else { return nil }
    let folderPath = Array(parts.joined(separator: [Layout.slash]))
    guard let folder = try open(folderPath) else { return nil }
    last.withLock { $0 = (folderPath, folder) }
    return DirectoryRelativePath(in: folder.file, name)
  }

  private func open(_ path: [UInt8]) throws(HoldfastError) -> Directory? {
    if path.isEmpty { return root }
    do throws(HoldfastError) {
      let place = DirectoryRelativePath(in: root.file, path)
      return Directory(file: try SystemCalls.openBeneath(place, O_RDONLY | O_DIRECTORY))
    } catch {
      if [.missing, .unsafePath].contains(error.code) || error.errno == ENOTDIR { return nil }
      throw error
    }
  }
}

extension LibraryTree {
  package var files: FolderFiles { FolderFiles(directory) }
}

extension Bag {
  /// Finds many of the bag's files, by paths relative to the bag's folder.
  package func files() throws(HoldfastError) -> FolderFiles { FolderFiles(try directory()) }
}
