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
        try SystemCalls.rename(directory.place(item.name), to: folders.place(item.path))
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

  /// Gives a file that was made anew its name, in the place of what has it now.
  ///
  /// - Parameters:
  ///   - file: A file with which this was sealed. What is in its place must have a second name.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``. If the file may have its name already, recovery sees to the row.
  public func publish(
    remade file: RemadeFile, under lock: borrowing WriterLock
  ) throws(StorageError) {
    guard state.withLock({ $0.sealed.contains(file.path) }) else {
      throw StorageError(.unsafePath, "publish", path: library.place(file.path.string).path)
    }
    let folders = try RecordingFolders(in: library)
    try SystemCalls.rename(directory.place(file.path.name), replacing: folders.place(file.path))
    state.withLock { _ = $0.names.remove(file.path.name) }
    do throws(StorageError) { try folders.sync([file.path]) } catch {
      leaveToRecovery()
      throw error
    }
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
