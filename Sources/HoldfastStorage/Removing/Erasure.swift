package import Foundation
import Glibc
package import HoldfastModel

/// The erasure of everything that a library holds. The catalog deletes its rows between
/// ``begin(under:)`` and ``finish(under:hasRow:)``.
package struct Erasure {
  private let id: UUID
  private let tree: LibraryTree
  private var directory: Directory { tree.directory }
  private var name: WorkName { WorkName(id: id, machine: tree.machine) }

  /// Describes an erase.
  ///
  /// - Parameter id: Its identity: a new one each time, or the one of the catalog's mark. An erase
  ///   is finished whichever computer began it.
  package init(id: UUID, in tree: LibraryTree) {
    self.id = id
    self.tree = tree
  }

  /// Starts to erase everything: moves `Recordings` to `.trash/<ID>.<machine>/Recordings`.
  ///
  /// `.quarantine` is moved beside it, so that what a later repair quarantines is not erased.
  ///
  /// Hold the lock for all of an erase, and do not erase while an import is at work: see
  /// ``Leftover/isAtWork``. After this step the catalog deletes every row and sets its mark,
  /// in one transaction. Then call ``finish(under:hasRow:)`` and remove the mark. If the
  /// transaction failed, call ``undo(under:)``. If the erase is interrupted, the next command that
  /// opens the library for writing looks for the mark. With the mark, it finishes the erase.
  /// Without it, ``Recovery`` undoes the erase.
  ///
  /// A library without these folders has nothing to set aside, which is not an error.
  ///
  /// - Throws: `HoldfastError`: `notAFolder` when a link or a file is where the library has one
  ///   of its folders, because then not everything could be erased; `interruptedErase` when an
  ///   earlier erase is neither finished nor undone; or a system error. Moved folders are then
  ///   moved back. If that fails, recovery does the rest.
  package func begin(under lock: borrowing WriterLock) throws(HoldfastError) {
    try refuseUnlessFolders()
    // The earlier erase may have its mark and this one not yet. The two could then not be told
    // apart in the trash.
    guard try !directory.hasInterruptedErase() else {
      throw HoldfastError(
        .interruptedErase, operation: "erase", path: directory.place(RelativePath.root).path)
    }
    let trash = try directory.making(Layout.trash)
    let folder = try trash.making(name.text)
    do throws(HoldfastError) {
      // This only records the owner: the lock ends with this call.
      _ = try WorkLock(in: folder, id: id, machine: tree.machine)
      for name in SetAside.names where try SystemCalls.identity(of: directory.place(name)) != nil {
        try SystemCalls.rename(directory.place(name), to: folder.place(name))
      }
      guard try trash.hasSetAside(name) else { return _ = try trash.removeEmptyWork(name) }
      try folder.sync()
      try directory.sync()
    } catch {
      try? undo(under: lock)
      throw error
    }
  }

  /// Undoes ``begin(under:)``, because the catalog's transaction failed.
  ///
  /// Does nothing if already undone. Make sure that the mark is not set: recordings that are
  /// brought back must have their rows. Nothing is replaced. An entry whose name is taken stays for
  /// recovery, and so does everything after an error.
  package func undo(under lock: borrowing WriterLock) throws(HoldfastError) {
    guard let trash = try directory.existing(Layout.trash) else { return }
    var erase = SetAside(name: name, library: directory, trash: trash)
    _ = try erase.bringBack()
  }

  /// Removes all of `.trash` and `.staging`, when the catalog has its mark.
  ///
  /// Links are not followed. It may be interrupted at any point and started again. Remove the mark
  /// when it has returned.
  ///
  /// If it finishes an interrupted erase, it leaves alone everything that began after that erase:
  /// work in progress, here or on another computer; entries that have a row, in the trash as well;
  /// another erase; and quarantines of repairs. Run a ``Recovery`` afterwards for those.
  ///
  /// - Throws: `HoldfastError` for the first thing that could not be removed, after everything
  ///   else was tried; and what `hasRow` throws.
  package func finish(
    under lock: borrowing WriterLock, hasRow: @escaping (RecordingID) throws -> Bool
  ) throws {
    // This syncs the removal of the catalog's journal. If the journal came back, so would the rows.
    try directory.sync()
    let trash = try directory.making(Layout.trash)
    var removal = TreeRemoval(by: trash)
    for entry in try trash.entries()
    where try isErased(entry, in: trash) && !Self.isOfRow(entry, in: trash, hasRow) {
      removal.remove(entry, in: trash)
    }
    removal.run()

    let staging = try directory.making(Layout.staging)
    var recovery = Recovery(of: tree, hasRow: hasRow) { _ in .notRead }
    try recovery.endImports { _ in true }
    for entry in try staging.entries() where try !tree.contents.isAtWork(entry, in: staging) {
      removal.remove(entry, in: staging)
    }
    try removal.finish()

    _ = try RecordingFolders(in: directory)
    try trash.sync()
    try staging.sync()
    try directory.sync()
  }

  /// Whether an erase with its mark set removes this entry of the trash.
  private func isErased(_ entry: DirectoryEntry, in trash: Directory) throws(HoldfastError) -> Bool
  {
    let name = WorkName(entry)
    // This holds even if another computer began the erase: otherwise its folder would be brought
    // back.
    if name?.id == id { return true }
    if let name, try trash.hasSetAside(name) { return false }
    return try !tree.contents.isAtWork(entry, in: trash)
  }

  /// Whether an entry of the trash belongs to a recording that has a row. Such an entry was not
  /// erased: its deletion, or another erase, did not reach its commit.
  private static func isOfRow(
    _ entry: DirectoryEntry, in trash: Directory, _ hasRow: (RecordingID) throws -> Bool
  ) throws -> Bool {
    guard let name = WorkName(entry) else { return false }
    if try hasRow(name.id) { return true }
    let recordings = try trash.existing(name.text)?.folder(RelativePath.root)
    let photos = try recordings?.folder(RelativePath.photos)
    for (folder, parent) in [(recordings, RelativePath.root), (photos, Layout.photos)] {
      for file in try folder?.entries() ?? [] {
        let path = file.text.flatMap { RelativePath("\(parent)/\($0)") }
        if let id = path?.ownerID, try hasRow(id) { return true }
      }
    }
    return false
  }

  /// Refuses a link or a file in a folder's place: files behind a link would survive the erase.
  private func refuseUnlessFolders() throws(HoldfastError) {
    let folders = [
      RelativePath.root, Layout.thumbnails, Layout.photos, Layout.trash, Layout.staging,
      Layout.quarantine,
    ]
    for name in folders {
      let kind = try SystemCalls.identity(of: directory.place(name))?.kind
      guard [nil, .directory].contains(kind) else {
        throw HoldfastError(.notAFolder, operation: "erase", path: directory.place(name).path)
      }
    }
  }
}

extension Directory {
  func hasInterruptedErase() throws(HoldfastError) -> Bool {
    try existing(Layout.trash)?.erases().isEmpty == false
  }

  func erases() throws(HoldfastError) -> [WorkName] {
    var erases: [WorkName] = []
    for name in try entries().compactMap(WorkName.init)
    where try hasSetAside(name) { erases.append(name) }
    return erases
  }

  fileprivate func hasSetAside(_ name: WorkName) throws(HoldfastError) -> Bool {
    guard let folder = try existing(name.text) else { return false }
    for name in SetAside.names where try folder.folder(name) != nil { return true }
    return false
  }
}
