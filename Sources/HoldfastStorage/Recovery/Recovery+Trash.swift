import Glibc
import HoldfastModel

extension Recovery {
  /// A folder of `.trash` holds a recording's files under their own names.
  ///
  /// A folder that an older Holdfast left may belong to another computer. If there is a row, its
  /// files are moved back, because that loses nothing. Without a row nothing is removed. Another
  /// computer's folder is treated the same way, after a day.
  mutating func endDeletions(under lock: borrowing WriterLock) throws {
    guard let trash = try tree.directory.existing(Layout.trash) else { return }
    for entry in try trash.entries() {
      guard let name = WorkName(entry) else {
        report.leftAlone.append(DirectoryRelativePath(in: trash.file, entry.name).path)
        continue
      }
      guard let work = try Work(name, in: trash, machine: tree.machine) else { continue }
      switch work.standing {
      case .living: continue
      case .own, .unowned:
        if try hasRow(name.id) {
          report.restored += try restore(work.folder, of: name.id)
          try trash.removeEmptyWork(name)
          continue
        }
        if work.standing == .own {
          // The removal of the row must reach the disk before that of the files: SQLite may have
          // just removed its journal.
          try tree.directory.sync()
          for (place, _) in try files(in: work.folder, of: name.id) {
            try SystemCalls.unlink(place)
          }
        }
        if try trash.removeEmptyWork(name) {
          report.deleted.append(name.id)
        } else if work.standing == .unowned {
          try leave(work, in: Layout.trash)
        }
      case .others:
        if try hasRow(name.id), try isAbandoned(work, under: lock) {
          report.restored += try restore(work.folder, of: name.id)
          try trash.removeEmptyWork(name)
        } else {
          try leave(work, in: Layout.trash)
        }
      }
    }
  }

  /// Moves a recording's files back to where its row says they are, without replacing any.
  ///
  /// A file is dropped if the same bytes are already in its place, for example because a backup was
  /// copied over the library.
  private mutating func restore(
    _ folder: Directory, of id: RecordingID
  ) throws -> [RelativePath] {
    let files = try files(in: folder, of: id)
    let folders = try RecordingFolders(in: tree.directory, for: files.map(\.path))
    var restored: [RelativePath] = []
    for (place, path) in files {
      if try moveBack(place, to: folders.place(path)) {
        restored.append(path)
      } else if let isTwin = isTwin(place, of: path) {
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
  private func moveBack(_ place: DirectoryRelativePath, to new: DirectoryRelativePath)
    throws(HoldfastError) -> Bool
  {
    do throws(HoldfastError) {
      try SystemCalls.rename(place, to: new)
      return true
    } catch let error where error.code == .exists {
      return false
    }
  }

  /// Whether the file in its place has the same bytes as this file of the trash, and is on the
  /// disk; `nil` if that cannot be told without reading them.
  private func isTwin(_ place: DirectoryRelativePath, of path: RelativePath) -> Bool? {
    do {
      let published = try tree.openForReading(path)
      let aside = try SystemCalls.openBeneath(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
      guard try aside.identity().size == published.identity().size else { return false }
      // Both hashes are requested, so that the caller can read both files at once.
      let hashes = (try hash(aside), try hash(published))
      if hashes.0 == .notRead || hashes.1 == .notRead { return nil }
      guard case .hash = hashes.0, hashes.0 == hashes.1 else { return false }
      try SystemCalls.sync(published)
      return true
    } catch {
      return false  // An unreadable file is kept, and does not block writing.
    }
  }

  /// Returns the files of a deletion that belong to the recording, and where they came from.
  private mutating func files(
    in folder: Directory, of id: RecordingID
  ) throws(HoldfastError) -> [(place: DirectoryRelativePath, path: RelativePath)] {
    var files: [(place: DirectoryRelativePath, path: RelativePath)] = []
    for entry in try folder.entries() {
      let place = DirectoryRelativePath(in: folder.file, entry.name)
      let path = RelativePath.all(of: id).first { $0.name == entry.text }
      if let path, entry.kind == .regular {
        files.append((place, path))
      } else if entry.kind == .directory, SetAside.names.contains(where: { $0 == entry.text }) {
        // An erase set it aside. `undoErasures` handled it, and listed what could not go back.
      } else if entry.kind == .regular, entry.text == Layout.workLock {
        // The lock file is removed last.
      } else {
        report.leftAlone.append(place.path)
      }
    }
    return files
  }
}
