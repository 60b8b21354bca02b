import Foundation
import Glibc
package import HoldfastModel

/// The deletion of a recording's files and its row, or of a photo's.
///
/// First the recording's playable copy is removed. Then the files are moved into a folder of
/// `.trash`, and their folders are synced. Then the row is deleted. Then the files are unlinked. If
/// this is interrupted, ``Recovery`` moves the files back if the row exists, and unlinks them if it
/// does not.
///
/// A file that is already gone is not an error. Anything that is not a regular file is left in
/// place, and so is a file with another recording's name.
///
/// Only a catalog that was edited by hand can hold a path that is not one of this recording's own.
/// Such a file is not moved, because recovery could not tell where it came from. It is unlinked
/// when the row is gone. Do not pass a path that another row also holds.
package struct Deletion {
  private let id: RecordingID
  private let paths: [RelativePath]
  private let tree: LibraryTree

  package init(of id: RecordingID, paths: [RelativePath], in tree: LibraryTree) {
    self.id = id
    self.paths = paths
    self.tree = tree
  }

  /// - Parameter deletingRow: Deletes the row, in its own transaction.
  /// - Returns: The paths where something was left.
  /// - Throws: `HoldfastError` when a file cannot be moved: for example `unsafePath` when a
  ///   folder on the path is a symbolic link, or `interruptedErase`. The files that were moved are
  ///   then moved back. Also what `deletingRow` throws, unless the row is gone nevertheless.
  @discardableResult
  package func run(
    under lock: borrowing WriterLock, hasRow: (RecordingID) throws -> Bool,
    deletingRow: () throws -> Void
  ) throws -> [RelativePath] {
    // The playable copy can be made again if the row stays.
    try tree.playableCopies.remove(of: id, under: lock)
    var files = try DeletedFiles(of: id, in: tree)
    try files.moveAside(paths)
    do {
      try deletingRow()
    } catch {
      // Whether the row is gone is unknown. Recovery will check.
      guard let stands = try? hasRow(id) else { throw error }
      if stands { try? files.undo() }
      // The row may look deleted although the removal of the catalog's journal is not on the disk
      // yet. If the journal came back, so would the row.
      guard !stands, (try? tree.directory.sync()) != nil else { throw error }
    }
    files.finish()
    return files.left
  }
}

/// The files of one recording, which are moved into `.trash/<ID>.<machine>` and then unlinked, or
/// moved back if the row stays.
private struct DeletedFiles {
  private struct File {
    let path: RelativePath
    let folder: Directory

    var place: DirectoryRelativePath { folder.place(path.name) }
  }

  private let id: RecordingID
  private let library: Directory
  private let trash: Directory
  private let folder: Directory
  private let name: WorkName
  private let lock: WorkLock
  /// The files that were moved into ``folder``, in order.
  private var moved: [File] = []
  /// The files that stay in place until the row is gone.
  private var inPlace: [File] = []
  /// The paths where the deletion left something.
  private(set) var left: [RelativePath] = []

  /// Makes the recording's folder in the trash, or uses the one that an earlier deletion left.
  init(of id: RecordingID, in tree: LibraryTree) throws(HoldfastError) {
    self.id = id
    library = tree.directory
    let (trash, name) = (try library.making(Layout.trash), WorkName(id: id, machine: tree.machine))
    folder = try trash.making(name.text)
    do throws(HoldfastError) {
      lock = try WorkLock(in: folder, id: id, machine: tree.machine)
    } catch {
      _ = try? trash.removeEmptyWork(name)
      throw error
    }
    (self.trash, self.name) = (trash, name)
  }

  /// Moves the files into the trash: all of them or none.
  mutating func moveAside(_ paths: [RelativePath]) throws(HoldfastError) {
    do throws(HoldfastError) {
      for path in paths { try moveAside(path) }
      guard !moved.isEmpty else { return }
      // The new folder is synced first, so that the name is always in one of the folders on the
      // disk.
      try folder.sync()
      try syncOrigins()
    } catch {
      try? undo()
      throw error
    }
  }

  private mutating func moveAside(_ path: RelativePath) throws(HoldfastError) {
    guard let file = try parent(of: path).map({ File(path: path, folder: $0) }),
      let kind = try SystemCalls.identity(of: file.place)?.kind
    else {
      // Undoing the erase may bring the file back. Its row must not be deleted before that.
      guard try library.hasInterruptedErase() else { return }
      throw HoldfastError(
        .interruptedErase, operation: "delete", path: library.place(path.string).path)
    }
    // A link or a folder is where the recording's file was. Unlinking it would lose something that
    // is not ours. Refusing would make the recording impossible to delete. And a row that was
    // edited by hand may name another recording's file.
    guard kind == .regular, [nil, id].contains(path.ownerID) else { return left.append(path) }
    // Recovery knows only from the ID where a file in the trash came from. A file that it could not
    // move back stays in place until the row is gone.
    guard path.ownerID == id else { return inPlace.append(file) }
    do throws(HoldfastError) {
      try SystemCalls.rename(file.place, to: folder.place(path.name))
      moved.append(file)
    } catch let error where error.code == .exists {
      // The trash has this name already: an earlier recovery found two files for one path, and
      // replaced neither.
      inPlace.append(file)
    } catch {
      // A disk may report an error after it has written. Then the file must be moved back as well.
      if (try? SystemCalls.identity(of: file.place)) == nil { moved.append(file) }
      throw error
    }
  }

  /// Opens the folder of a path, or returns `nil` if there is none. A link on the path is an error:
  /// the recording may be behind it, and would not be deleted.
  private func parent(of path: RelativePath) throws(HoldfastError) -> Directory? {
    let parent = library.place(path.components.dropLast().joined(separator: "/"))
    do throws(HoldfastError) {
      return Directory(file: try SystemCalls.openBeneath(parent, O_RDONLY | O_DIRECTORY))
    } catch let error where error.code == .missing || error.errno == ENOTDIR {
      return nil
    }
  }

  /// Moves everything back, because the row stays.
  ///
  /// - Throws: The first failure to move a file, or the failure to sync. All files are tried.
  ///   Recovery does the rest.
  func undo() throws(HoldfastError) {
    var failure: HoldfastError?
    for file in moved.reversed() {
      do throws(HoldfastError) {
        try SystemCalls.rename(folder.place(file.path.name), to: file.place)
      } catch {
        failure = failure ?? error
      }
    }
    try syncOrigins()
    if let failure { throw failure }
    try removeFolder()
  }

  /// Unlinks everything, because the row is gone. Files in the trash that cannot be unlinked are
  /// left to recovery. ``left`` lists the paths of the others.
  mutating func finish() {
    for file in inPlace {
      do throws(HoldfastError) {
        try file.folder.remove(file.path.name)
        try file.folder.sync()
      } catch {
        left.append(file.path)
      }
    }
    // Files are found by name, not in `moved`: an earlier deletion may have left a file here.
    for path in RelativePath.all(of: id) {
      let file = try? SystemCalls.identity(of: folder.place(path.name))
      if file?.kind == .regular { try? folder.remove(path.name) }
    }
    try? removeFolder()
  }

  /// Removes the folder, unless an earlier deletion left something in it.
  private func removeFolder() throws(HoldfastError) {
    try folder.remove(Layout.workLock)
    lock.release()
    try trash.removeEmpty(name.text)
  }

  private func syncOrigins() throws(HoldfastError) {
    var synced: Set<[String]> = []
    for file in moved where synced.insert(file.path.components.dropLast()).inserted {
      try file.folder.sync()
    }
  }
}
