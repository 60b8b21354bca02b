public import Foundation
internal import Glibc
public import HoldfastModel
internal import Synchronization

/// A folder in `.staging` where one import does its work, out of everyone's sight.
///
/// In this order: ``createFile(named:)`` and write; ``seal(recordings:)``; under the writer lock
/// ``publish(_:under:)`` and the rows; ``remove()``. When it ends without ``remove()``, it only
/// lets go of its lock: what is on the disk is then that of an import that died, and
/// ``LibraryTree/recover(under:hasRow:)`` undoes it.
public final class Staging: Sendable {
  /// The import's identity, with which the folder's name begins.
  public let id: UUID
  let library: Directory
  let parent: Directory
  let directory: Directory
  private let name: WorkName
  private let lock: WorkLock
  let state = Mutex(State())

  struct State {
    /// The files that were made here and not removed again.
    var names: Set<String> = []
    /// What the lock file says may be published from here.
    var sealed: Set<RelativePath> = []
    /// The lines of the lock file's list.
    var lines: [String] = []
    /// What was published, in order.
    var published: [(name: String, path: RelativePath)] = []
    /// A published file could not be taken back: this is left for recovery.
    var isStranded = false
    var isRemoved = false
  }

  init(id: UUID, library: Directory, machine: String) throws(StorageError) {
    self.id = id
    self.library = library
    parent = try library.making(Layout.staging)
    name = WorkName(id, machine: machine)
    let name = name.text
    try SystemCalls.makeDirectory(parent.place(name))
    do throws(StorageError) {
      guard let directory = try parent.existing(name) else {
        throw StorageError(.missing, "open", path: parent.place(name).path, errno: ENOENT)
      }
      self.directory = directory
      lock = try WorkLock(in: directory, id: id, machine: machine)
      try parent.sync()
    } catch {
      try? SystemCalls.unlink(Place(in: parent.file, "\(name)/\(Layout.workLock)"))
      try? SystemCalls.unlink(parent.place(name), directory: true)
      throw error
    }
  }

  /// Makes an empty file here, open for reading and writing, for its owner alone.
  ///
  /// - Parameter name: The file's name; any but `lock`.
  /// - Throws: ``StorageError``: `unsafePath` for what is not one plain name, `exists`, or what
  ///   the system says.
  public func createFile(named name: String) throws(StorageError) -> OpenFile {
    try refuseUnlessPlain(name)
    let file = try directory.makeFile(name)
    state.withLock { _ = $0.names.insert(name) }
    return file
  }

  /// Removes a file that was made here, so that it can be made again; nothing if there is none.
  ///
  /// - Parameter name: The file's name.
  /// - Throws: ``StorageError``: `unsafePath` for what is not one plain name, or what the system
  ///   says.
  public func removeFile(named name: String) throws(StorageError) {
    try refuseUnlessPlain(name)
    try directory.remove(name)
    state.withLock { _ = $0.names.remove(name) }
  }

  /// Makes everything written here durable, and says whose files may be published from here.
  ///
  /// Recovery must know what to take back. The recording that has this folder's own identity it finds
  /// by that name, which is on the disk; the IDs of others are written into the lock file, one a line,
  /// and only then are that file and this folder synced too.
  ///
  /// - Parameter recordings: The IDs of the recordings that this import makes.
  /// - Throws: ``StorageError`` when the system refuses; a full disk or a failing one among others.
  public func seal(recordings: [RecordingID]) throws(StorageError) {
    try seal(
      recordings.filter { $0 != id }.map(\.uuidString),
      syncing: state.withLock { $0.names.sorted() },
      allowing: recordings.flatMap(RelativePath.all))
  }

  /// Makes files durable that were made anew for recordings that have rows, and says that they may be
  /// published from here, and no others. What else is made here meanwhile is not looked at.
  ///
  /// - Parameter remade: The files. One that was published when this dies is complete, and recovery
  ///   only has its row set right.
  /// - Throws: ``StorageError`` when the system refuses; a full disk or a failing one among others.
  public func seal(remade: [RemadeFile]) throws(StorageError) {
    try seal(
      remade.map(\.line), syncing: remade.map(\.path.name), allowing: remade.map(\.path))
  }

  private func seal(
    _ lines: [String], syncing names: [String], allowing paths: [RelativePath]
  ) throws(StorageError) {
    if !lines.isEmpty {
      let before = state.withLock { $0.isStranded ? $0.lines : [] }
      // What recovery has to see to stays on the list.
      try lock.write(before + lines)
      state.withLock { $0.lines = before + lines }
      try lock.sync()
    }
    // Opened again, rather than kept open since they were made: a long recording has hundreds of
    // parts. Linux reports a write-back error that nobody has seen to whoever opens next.
    for name in names {
      guard let file = try directory.existingFile(name, O_RDONLY) else {
        throw StorageError(.missing, "sync", path: directory.place(name).path, errno: ENOENT)
      }
      try SystemCalls.sync(file)
    }
    if !lines.isEmpty { try directory.sync() }
    state.withLock { $0.sealed = Set(paths) }
  }

  /// Removes the folder and what was made in it, and lets go of its lock; nothing if that is done.
  ///
  /// What was published stays: call it when the rows are in, or when nothing is published. If a
  /// published file could not be taken back, it does nothing, and recovery sees to the rest.
  ///
  /// - Throws: ``StorageError`` when the system refuses; then recovery sees to the rest.
  public func remove() throws(StorageError) {
    let names = state.withLock { state -> Set<String>? in
      guard !state.isRemoved else { return nil }
      state.isRemoved = true
      return state.isStranded ? nil : state.names
    }
    guard let names else { return lock.release() }
    defer { lock.release() }
    for name in names.sorted() { try directory.remove(name) }
    // The list of what may have been published goes last.
    try directory.remove(Layout.workLock)
    lock.release()
    try parent.removeEmpty(name.text)
  }

  private func refuseUnlessPlain(_ name: String) throws(StorageError) {
    let isPlain =
      !["", ".", "..", Layout.workLock].contains(name)
      && !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    guard isPlain else {
      throw StorageError(.unsafePath, "name a file", path: directory.place(name).path)
    }
  }
}

extension LibraryTree {
  /// Makes a folder for one import's work, and locks it for as long as the result lives.
  ///
  /// - Parameters:
  ///   - id: The import's identity.
  ///   - lock: The writer lock: nobody sees the folder before it is locked.
  /// - Throws: ``StorageError`` when the folder exists or cannot be made.
  public func makeStaging(
    id: UUID, under lock: borrowing WriterLock
  ) throws(StorageError) -> Staging {
    try Staging(id: id, library: directory, machine: machine)
  }
}
