import Glibc
import HoldfastModel

/// An open folder of the library, and the operations in it. Links are never followed.
struct Directory: Sendable {
  let file: OpenFile
  /// Whether what root makes here belongs to the folder's owner, as everything in a library does:
  /// it is for its owner alone, who could not use it otherwise. This holds for folders in it too.
  var isLibrary = false

  func place(_ name: String) -> DirectoryRelativePath { DirectoryRelativePath(in: file, name) }

  func entries() throws(HoldfastError) -> [DirectoryEntry] { try SystemCalls.entries(of: file) }

  func sync() throws(HoldfastError) { try SystemCalls.sync(file) }

  /// Opens a folder in this one, or returns `nil` if there is none.
  func existing(_ name: String) throws(HoldfastError) -> Directory? {
    try existing(bytes: Array(name.utf8))
  }

  func existing(bytes name: [UInt8]) throws(HoldfastError) -> Directory? {
    do throws(HoldfastError) {
      let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW
      let folder = try SystemCalls.open(DirectoryRelativePath(in: file, name), flags)
      return Directory(file: folder, isLibrary: isLibrary)
    } catch let error where error.code == .missing {
      return nil
    }
  }

  /// Opens a folder in this one, or returns `nil` if there is none or it is something else.
  func folder(_ name: String) throws(HoldfastError) -> Directory? {
    guard try SystemCalls.identity(of: place(name))?.kind == .directory else { return nil }
    return try existing(name)
  }

  /// Opens a folder in this one, which must be there.
  func openFolder(
    _ name: some Sequence<UInt8>, to operation: String = "open"
  ) throws(HoldfastError) -> Directory {
    let name = Array(name)
    if let folder = try existing(bytes: name) { return folder }
    let path = DirectoryRelativePath(in: file, name).path
    throw HoldfastError(.missing, operation: operation, path: path, errno: ENOENT)
  }

  /// Opens a folder in this one, and makes it first if there is none.
  func making(_ name: String) throws(HoldfastError) -> Directory {
    if let directory = try existing(name) { return directory }
    do throws(HoldfastError) {
      let folder = try makeFolder(name)
      try sync()
      return folder
    } catch let error where error.code == .exists {
      // Another process made it first.
      return try openFolder(name.utf8, to: "make")
    }
  }

  /// Makes a folder for its owner alone, whatever the umask. It must not exist yet.
  func makeFolder(_ name: String) throws(HoldfastError) -> Directory {
    try SystemCalls.makeDirectory(place(name))
    do throws(HoldfastError) {
      let folder = try openFolder(name.utf8, to: "make")
      if isLibrary { try SystemCalls.give(folder.file, toOwnerOf: file) }
      return folder
    } catch {
      try? SystemCalls.unlink(place(name), directory: true)
      throw error
    }
  }

  /// Makes a file for its owner alone, whatever the umask. The file must not exist yet.
  func makeFile(_ name: String) throws(HoldfastError) -> OpenFile {
    let file = try SystemCalls.open(place(name), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
    do throws(HoldfastError) {
      try SystemCalls.setMode(0o600, of: file)
      if isLibrary { try SystemCalls.give(file, toOwnerOf: self.file) }
    } catch {
      try? SystemCalls.unlink(place(name))
      throw error
    }
    return file
  }

  /// Opens a small file of this folder for reading and writing, and makes it first if there is
  /// none.
  func existingOrNew(_ name: String) throws(HoldfastError) -> OpenFile {
    if let file = try existingFile(name, O_RDWR) { return file }
    do throws(HoldfastError) {
      return try makeFile(name)
    } catch let error where error.code == .exists {
      // Another process made it first.
    }
    guard let file = try existingFile(name, O_RDWR) else {
      throw HoldfastError(.missing, operation: "make", path: place(name).path, errno: ENOENT)
    }
    return file
  }

  /// Opens a regular file in this folder, or returns `nil` if there is nothing of that name.
  func existingFile(_ name: String, _ flags: CInt) throws(HoldfastError) -> OpenFile? {
    let file: OpenFile
    do throws(HoldfastError) {
      file = try SystemCalls.open(place(name), flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
    } catch let error where error.code == .missing {
      return nil
    } catch let error where [EISDIR, ENXIO].contains(error.errno) {
      throw HoldfastError(.notAFile, operation: "open", path: error.path, errno: error.errno)
    }
    guard try file.identity().kind == .regular else {
      throw HoldfastError(.notAFile, operation: "open", path: file.path)
    }
    return file
  }

  /// Opens a regular file in this folder, which must be there, to read or to sync it.
  func openFile(_ name: String, to operation: String = "open") throws(HoldfastError) -> OpenFile {
    if let file = try existingFile(name, O_RDONLY) { return file }
    throw HoldfastError(.missing, operation: operation, path: place(name).path, errno: ENOENT)
  }

  /// Removes a file. Does nothing if there is none.
  func remove(_ name: String) throws(HoldfastError) {
    do throws(HoldfastError) {
      try SystemCalls.unlink(place(name))
    } catch let error where error.code == .missing {}
  }

  /// Removes a folder if it is empty, and returns whether it is gone.
  @discardableResult
  func removeEmpty(_ name: String) throws(HoldfastError) -> Bool {
    do throws(HoldfastError) {
      try SystemCalls.unlink(place(name), directory: true)
    } catch let error where error.code == .missing {
    } catch let error where [ENOTEMPTY, EEXIST].contains(error.errno) {
      return false
    }
    return true
  }

  /// Opens the folder of a path, through no link, and returns it with the path's last name.
  func parent(of path: [UInt8]) throws(HoldfastError) -> (Directory, name: [UInt8]) {
    var folder = self
    let names = path.split(separator: Layout.slash)
    for name in names.dropLast() { folder = try folder.openFolder(name) }
    return (folder, Array(names.last ?? []))
  }
}
