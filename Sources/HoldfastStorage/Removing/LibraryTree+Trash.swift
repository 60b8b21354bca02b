public import Foundation
internal import Glibc
public import HoldfastModel

extension LibraryTree {
  /// Whether a recording's file is in the trash, where an interrupted deletion left it.
  ///
  /// - Parameters:
  ///   - path: The file's path.
  ///   - id: The recording.
  /// - Throws: ``StorageError`` when the system cannot say.
  public func isInTrash(_ path: RelativePath, of id: RecordingID) throws(StorageError) -> Bool {
    guard let trash = try directory.existing(Layout.trash) else { return false }
    for name in try trash.entries().compactMap(WorkName.init) where name.id == id {
      guard let folder = try trash.existing(name.text) else { continue }
      if try SystemCalls.identity(of: folder.place(path.name)) != nil { return true }
    }
    return false
  }

  /// Ends interrupted deletions. A folder of `.trash` holds a recording's files under their own
  /// names.
  ///
  /// A folder that an older Holdfast left may belong to another computer. If there is a row, its
  /// files are moved back, because that loses nothing. Without a row nothing is removed. Another
  /// computer's folder is treated the same way, after a day.
  func recoverTrash(
    _ report: inout RecoveryReport, under lock: borrowing WriterLock,
    _ rows: some RecoveryRows
  ) throws {
    guard let trash = try directory.existing(Layout.trash) else { return }
    for entry in try trash.entries() {
      guard let name = WorkName(entry) else {
        report.leftAlone.append(Place(in: trash.file, entry.name).path)
        continue
      }
      guard let work = try Work(name, in: trash, machine: machine) else { continue }
      switch work.standing {
      case .living: continue
      case .own, .unowned:
        if try rows.hasRow(of: name.id) {
          report.restored += try restore(work.folder, of: name.id, &report, rows)
          try trash.removeEmptyWork(name)
          continue
        }
        if work.standing == .own {
          // The removal of the row must reach the disk before that of the files: SQLite may have
          // just removed its journal.
          try directory.sync()
          try empty(work.folder, of: name.id, &report)
        }
        if try trash.removeEmptyWork(name) {
          report.deleted.append(name.id)
        } else if work.standing == .unowned {
          try report.leave(work, in: Layout.trash)
        }
      case .others:
        if try rows.hasRow(of: name.id), try isAbandoned(work, under: lock) {
          report.restored += try restore(work.folder, of: name.id, &report, rows)
          try trash.removeEmptyWork(name)
        } else {
          try report.leave(work, in: Layout.trash)
        }
      }
    }
  }

  /// Moves a recording's files back to where its row says they are, and never replaces another
  /// file.
  ///
  /// A file is dropped if the same bytes are already in its place, for example because a backup was
  /// copied over the library.
  private func restore(
    _ folder: Directory, of id: RecordingID, _ report: inout RecoveryReport,
    _ rows: some RecoveryRows
  ) throws -> [RelativePath] {
    let folders = try RecordingFolders(in: directory)
    var restored: [RelativePath] = []
    for (place, path) in try files(in: folder, of: id, &report) {
      if try moveBack(place, to: folders.place(path)) {
        restored.append(path)
      } else if let isTwin = isTwin(place, of: path, rows) {
        if isTwin {
          try SystemCalls.unlink(place)
          restored.append(path)
        } else {
          report.leftAlone.append(place.path)
        }
      }
    }
    try folders.sync(RelativePath.all(of: id))
    return restored
  }

  /// - Returns: Whether the file was moved. It is not moved over another file.
  private func moveBack(_ place: Place, to new: Place) throws(StorageError) -> Bool {
    do throws(StorageError) {
      try SystemCalls.rename(place, to: new)
      return true
    } catch let error where error.code == .exists {
      return false
    }
  }

  /// Whether the file in its place has the same bytes as this file of the trash, and is on the
  /// disk.
  ///
  /// `nil` if that cannot be told without reading them.
  private func isTwin(
    _ place: Place, of path: RelativePath, _ rows: some RecoveryRows
  ) -> Bool? {
    do {
      let published = try openForReading(path)
      let aside = try SystemCalls.openBeneath(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard try aside.identity().size == published.identity().size else { return false }
      // Both hashes are requested, so that the caller can read both files at once.
      let hashes = (try rows.hash(of: aside), try rows.hash(of: published))
      if hashes.0 == .notRead || hashes.1 == .notRead { return nil }
      guard case .hash = hashes.0, hashes.0 == hashes.1 else { return false }
      try SystemCalls.sync(published)
      return true
    } catch {
      return false  // An unreadable file is kept, and does not stop anybody from writing.
    }
  }

  private func empty(
    _ folder: Directory, of id: RecordingID, _ report: inout RecoveryReport
  ) throws(StorageError) {
    for (place, _) in try files(in: folder, of: id, &report) { try SystemCalls.unlink(place) }
  }

  /// Returns the files of a deletion that belong to the recording, and where they came from.
  private func files(
    in folder: Directory, of id: RecordingID, _ report: inout RecoveryReport
  ) throws(StorageError) -> [(place: Place, path: RelativePath)] {
    var files: [(place: Place, path: RelativePath)] = []
    for entry in try folder.entries() {
      let place = Place(in: folder.file, entry.name)
      let path = RelativePath.all(of: id).first { $0.name == entry.text }
      if let path, entry.kind == .regular {
        files.append((place, path))
      } else if entry.kind == .directory, SetAside.names.contains(where: { $0 == entry.text }) {
        // What an erase set aside. `recoverErases` handled it, and listed what could not go back.
      } else if entry.kind == .regular, entry.text == Layout.workLock {
        // The lock file is removed last.
      } else {
        report.leftAlone.append(place.path)
      }
    }
    return files
  }
}
