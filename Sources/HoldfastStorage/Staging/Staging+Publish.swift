public import HoldfastModel
internal import Synchronization

extension Staging {
  /// Gives files that were made here their names in the library, all of them or none.
  ///
  /// Nothing is ever replaced. The rows follow under the same lock; if they cannot be had, call
  /// ``withdraw(under:)``.
  ///
  /// - Parameters:
  ///   - items: The files' names here, and the paths they get: those of sealed recordings only.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``: `unsafePath` for a path that recovery would not take back,
  ///   `exists`, or what the system says. What was published by this call has been taken back.
  public func publish(
    _ items: [(name: String, path: RelativePath)], under lock: borrowing WriterLock
  ) throws(StorageError) {
    let sealed = state.withLock { $0.sealed }
    for item in items where !sealed.contains(item.path) {
      throw StorageError(.unsafePath, "publish", path: library.place(item.path.string).path)
    }
    let folders = try RecordingFolders(in: library)
    var done: [(name: String, path: RelativePath)] = []
    do throws(StorageError) {
      for item in items {
        do throws(StorageError) {
          try SystemCalls.rename(directory.place(item.name), to: folders.place(item.path))
        } catch {
          if mayBePublished(item, in: folders, although: error) { done.append(item) }
          throw error
        }
        done.append(item)
      }
      try folders.sync(items.map(\.path))
    } catch {
      try? takeBack(done, from: folders)
      throw error
    }
    state.withLock {
      $0.names.subtract(done.map(\.name))
      $0.published += done
    }
  }

  /// Gives files that were made anew their names, in the place of what has them now. Each stands for
  /// itself; the folders are synced once.
  ///
  /// - Parameters:
  ///   - files: Files with which this was sealed. What must not be lost of what is in their places has
  ///     a second name.
  ///   - lock: The writer lock.
  /// - Returns: Why those did not get their names that did not.
  /// - Throws: ``StorageError`` when they may have their names already: recovery sees to the rows.
  public func publish(
    remade files: [RemadeFile], under lock: borrowing WriterLock
  ) throws(StorageError) -> [RelativePath: StorageError] {
    let sealed = state.withLock { $0.sealed }
    let folders = try RecordingFolders(in: library)
    var failures: [RelativePath: StorageError] = [:]
    var done: [RelativePath] = []
    for file in files {
      let (name, path) = (file.path.name, file.path)
      do throws(StorageError) {
        guard sealed.contains(path) else {
          throw StorageError(.unsafePath, "publish", path: library.place(path.string).path)
        }
        try SystemCalls.rename(directory.place(name), replacing: folders.place(path))
        done.append(path)
      } catch {
        failures[path] = error
        // It may have its name all the same: then recovery sees to its row.
        if (try? SystemCalls.identity(of: directory.place(name))) == nil { leaveToRecovery() }
      }
    }
    guard !done.isEmpty else { return failures }
    state.withLock { $0.names.subtract(done.map(\.name)) }
    do throws(StorageError) { try folders.sync(done) } catch {
      leaveToRecovery()
      throw error
    }
    return failures
  }

  /// Takes everything published from here back into this folder, because the rows could not be
  /// had. Make sure that there are none: a row always has its files.
  ///
  /// - Parameter lock: The writer lock.
  /// - Throws: ``StorageError`` when the system refuses; then recovery sees to the rest.
  public func withdraw(under lock: borrowing WriterLock) throws(StorageError) {
    let published = state.withLock { $0.published }
    guard !published.isEmpty else { return }
    try takeBack(published, from: RecordingFolders(in: library))
    state.withLock {
      $0.published = []
      $0.names.formUnion(published.map(\.name))
    }
  }

  /// Keeps the folder, with the list of what was published from it, although the import is over:
  /// it cannot be told yet whether the rows will stand, and recovery decides by them.
  public func leaveToRecovery() { state.withLock { $0.isStranded = true } }

  /// Whether a file may have its name in the library although that failed: a disk may fail after it has
  /// written. Then it is taken back with the others, or left to recovery where that fails.
  private func mayBePublished(
    _ item: (name: String, path: RelativePath), in folders: RecordingFolders,
    although error: StorageError
  ) -> Bool {
    do throws(StorageError) {
      guard let published = try SystemCalls.identity(of: folders.place(item.path)) else {
        return false
      }
      // Another's file that was there before stays; what is here no more can only be there.
      guard error.code == .exists,
        let staged = try SystemCalls.identity(of: directory.place(item.name))
      else { return true }
      return staged.isSameFile(as: published)
    } catch {
      return true
    }
  }

  private func takeBack(
    _ items: [(name: String, path: RelativePath)], from folders: RecordingFolders
  ) throws(StorageError) {
    do throws(StorageError) {
      for item in items.reversed() {
        try SystemCalls.rename(folders.place(item.path), to: directory.place(item.name))
      }
      try folders.sync(items.map(\.path))
    } catch {
      state.withLock { $0.isStranded = true }
      throw error
    }
  }
}
