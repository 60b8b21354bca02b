package import HoldfastModel
import Synchronization

extension Staging {
  /// Gives files that were made here their names in the library: all or none.
  ///
  /// After a crash, recovery removes the files that have a name but no row.
  ///
  /// It never replaces anything. Write the rows next, under the same lock. If that fails, call
  /// ``withdraw(under:)``.
  ///
  /// - Parameter items: The files' names here, and their paths in the library. Only sealed
  ///   recordings are allowed.
  /// - Throws: `HoldfastError`: `unsafePath` for a path that recovery would not take back,
  ///   `exists`, or a system error. Files that this call published are taken back; recovery does
  ///   the rest if that fails.
  package func publish(
    _ items: [(name: String, path: RelativePath)], under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    let (sealed, toName) = state.withLock { ($0.sealed, $0.toName) }
    for item in items where !sealed.contains(item.path) {
      throw HoldfastError(
        .unsafePath, operation: "publish", path: library.place(item.path.string).path)
    }
    let folders = try RecordingFolders(in: library, for: items.map(\.path))
    var done: [(name: String, path: RelativePath)] = []
    do throws(HoldfastError) {
      for item in items {
        do throws(HoldfastError) {
          if let file = toName[item.path] {
            try name(file, item.path, in: folders)
          } else {
            try SystemCalls.rename(directory.place(item.name), to: folders.place(item.path))
          }
        } catch {
          if mayBePublished(item, toName[item.path], in: folders, although: error) {
            done.append(item)
          }
          throw error
        }
        done.append(item)
      }
      let paths = items.map(\.path)
      // Another library's files may not be on the disk yet.
      if toName.isEmpty { try folders.sync(paths) } else { try folders.syncFiles(paths) }
    } catch {
      try? undo(done, from: folders)
      throw error
    }
    state.withLock {
      $0.names.subtract(done.map(\.name))
      for item in done {
        $0.named[item.path] = $0.toName.removeValue(forKey: item.path)
      }
      $0.published += done
    }
  }

  /// Gives a file of another library its second name, if it is still the file that was examined.
  private func name(
    _ file: FileToName, _ path: RelativePath, in folders: RecordingFolders
  ) throws(HoldfastError) {
    let place = folders.place(path)
    try SystemCalls.link(file.folders.place(path), place)
    guard let identity = try SystemCalls.identity(of: place), identity.hasBytes(of: file.identity)
    else {
      // No other process makes names here under the lock.
      try SystemCalls.unlink(place)
      throw HoldfastError(.unsafePath, operation: "link", path: place.path)
    }
  }

  /// Gives remade files their names, and replaces the files that have those names now.
  ///
  /// One failure does not stop the others. The folders are synced once.
  ///
  /// - Parameter files: Files that this folder was sealed with. If an old file must not be lost, it
  ///   needs a second name.
  /// - Returns: The files that did not get their names, and why.
  /// - Throws: `HoldfastError` when the folders cannot be opened, or cannot be synced. After a
  ///   failed sync the files may have their names, and recovery updates the rows.
  package func publish(
    remade files: [RemadeFile], under lock: borrowing WriterLock
  ) throws(HoldfastError) -> [RelativePath: HoldfastError] {
    let sealed = state.withLock { $0.sealed }
    let folders = try RecordingFolders(in: library, for: files.map(\.path))
    var failures: [RelativePath: HoldfastError] = [:]
    var done: [RelativePath] = []
    for file in files {
      let (name, path) = (file.path.name, file.path)
      do throws(HoldfastError) {
        guard sealed.contains(path) else {
          throw HoldfastError(
            .unsafePath, operation: "publish", path: library.place(path.string).path)
        }
        try SystemCalls.rename(directory.place(name), replacing: folders.place(path))
        done.append(path)
      } catch {
        failures[path] = error
        // The file may have its name all the same. Then recovery updates its row.
        if (try? SystemCalls.identity(of: directory.place(name))) == nil { leaveToRecovery() }
      }
    }
    guard !done.isEmpty else { return failures }
    state.withLock { $0.names.subtract(done.map(\.name)) }
    do throws(HoldfastError) { try folders.sync(done) } catch {
      leaveToRecovery()
      throw error
    }
    return failures
  }

  /// Moves everything published from here back into this folder, because the rows could not be
  /// written.
  ///
  /// Call it only if the rows do not exist: a row must always have its files. After an error,
  /// recovery does the rest.
  package func withdraw(under lock: borrowing WriterLock) throws(HoldfastError) {
    let published = state.withLock { $0.published }
    guard !published.isEmpty else { return }
    try undo(published, from: RecordingFolders(in: library))
    state.withLock { $0.published = [] }
  }

  /// Keeps the folder and the list of files published from it after the import has ended.
  ///
  /// Call it when it is unknown whether the rows will exist. Recovery then decides by the rows.
  package func leaveToRecovery() { state.withLock { $0.isStranded = true } }

  /// Whether a file may have its name in the library although publishing it failed.
  ///
  /// A disk may report an error after it has written. The file is then taken back with the others,
  /// or left to recovery if that fails.
  private func mayBePublished(
    _ item: (name: String, path: RelativePath), _ toName: FileToName?, in folders: RecordingFolders,
    although error: HoldfastError
  ) -> Bool {
    do throws(HoldfastError) {
      guard let published = try SystemCalls.identity(of: folders.place(item.path)) else {
        return false
      }
      // A local disk does not report that a name exists when it has just made it.
      if let toName { return error.code != .exists && toName.isSecondName(published, item.path) }
      // A file that was there before stays. A file that has left staging must be there.
      guard error.code == .exists,
        let staged = try SystemCalls.identity(of: directory.place(item.name))
      else { return true }
      return staged.isSameFile(as: published)
    } catch {
      return true
    }
  }

  private func undo(
    _ items: [(name: String, path: RelativePath)], from folders: RecordingFolders
  ) throws(HoldfastError) {
    let named = state.withLock { $0.toName.merging($0.named) { first, _ in first } }
    do throws(HoldfastError) {
      for item in items.reversed() {
        let place = folders.place(item.path)
        guard let file = named[item.path] else {
          try SystemCalls.rename(place, to: directory.place(item.name))
          state.withLock { _ = $0.names.insert(item.name) }
          continue
        }
        // Nothing that may be the last name of a file is removed.
        if let found = try SystemCalls.identity(of: place), file.isSecondName(found, item.path) {
          try SystemCalls.unlink(place)
        }
      }
      try folders.sync(items.map(\.path))
    } catch {
      state.withLock { $0.isStranded = true }
      throw error
    }
  }
}
