package import Foundation
import Glibc
package import HoldfastModel
import Synchronization

/// A folder in `.staging` where one import does its work, unseen by readers of the library.
///
/// Use it in this order: ``createFile(named:)`` and write; ``seal(recordings:)``; under the writer
/// lock ``publish(_:under:)`` and the rows; ``remove()``. Without ``remove()``, it only releases
/// its lock at its end. The folder on the disk then counts as an interrupted import, and
/// ``Recovery`` undoes it.
package final class Staging: Sendable {
  /// The import's identity, which begins the folder's name.
  package let id: UUID
  let library: Directory
  let parent: Directory
  let directory: Directory
  let name: WorkName
  private let lock: WorkLock
  /// The number of the library's filesystem, if it is a disk of this machine.
  let device: UInt64?
  /// The user who gets the files that are made here.
  let owner: UInt32
  let state = Mutex(State())

  struct State {
    /// The files that were made here and have not been removed or published.
    var names: Set<String> = []
    /// The number of the library's files that have a second name here.
    var pins = 0
    /// The files of another library that get their names when they are published.
    var toName: [RelativePath: FileToName] = [:]
    /// The files from ``toName`` that have their names now.
    var named: [RelativePath: FileToName] = [:]
    /// The paths that may be published from here, according to the lock file.
    var sealed: Set<RelativePath> = []
    var lines: [String] = []
    /// The files that were published, in order.
    var published: [(name: String, path: RelativePath)] = []
    /// Whether the folder is left to recovery, for example because a published file could not be
    /// taken back.
    var isStranded = false
    var isRemoved = false
  }

  init(id: UUID, library: Directory, machine: String) throws(HoldfastError) {
    self.id = id
    self.library = library
    parent = try library.making(Layout.staging)
    device = SourceFile.isRemote(parent.file) ? nil : try parent.file.identity().device
    name = WorkName(id: id, machine: machine)
    let name = name.text
    directory = try parent.makeFolder(name)
    do throws(HoldfastError) {
      owner = try directory.file.identity().owner
      lock = try WorkLock(in: directory, id: id, machine: machine)
      try parent.sync()
    } catch {
      try? SystemCalls.unlink(DirectoryRelativePath(in: parent.file, "\(name)/\(Layout.workLock)"))
      try? SystemCalls.unlink(parent.place(name), directory: true)
      throw error
    }
  }

  /// Makes an empty file here, open for reading and writing, for its owner alone.
  ///
  /// - Parameter name: The file's name, which must not be `lock`.
  /// - Throws: `HoldfastError`: `unsafePath` if `name` is not one plain name, `exists`, or a
  ///   system error.
  package func createFile(named name: String) throws(HoldfastError) -> OpenFile {
    try refuseUnlessPlain(name)
    let file = try directory.makeFile(name)
    state.withLock { _ = $0.names.insert(name) }
    return file
  }

  /// Removes a file, so that it can be made again. Does nothing if there is none.
  package func removeFile(named name: String) throws(HoldfastError) {
    try refuseUnlessPlain(name)
    try directory.remove(name)
    state.withLock { _ = $0.names.remove(name) }
  }

  /// Makes everything written here durable, and records whose files may be published from here.
  ///
  /// Recovery must know which files to take back. It finds the recording with this folder's own ID
  /// by the folder's name, which is already on the disk. The IDs of other recordings are written
  /// into the lock file, one a line. Only if there are such IDs are that file and this folder
  /// synced too.
  ///
  /// An ID is left out if something is already in the place of a file that is linked only when it
  /// is published: recovery could not tell the two apart.
  package func seal(recordings: [RecordingID]) throws(HoldfastError) {
    var taken: Set<RecordingID> = []
    for path in state.withLock({ Array($0.toName.keys) }) {
      guard let id = path.ownerID, try SystemCalls.identity(of: library.place(path.string)) != nil
      else { continue }
      taken.insert(id)
    }
    try seal(
      recordings.filter { $0 != id && !taken.contains($0) }.map(\.uuidString),
      syncing: state.withLock { $0.names.sorted() },
      allowing: recordings.flatMap(RelativePath.all))
  }

  /// Makes remade files durable, and records that they, and no others, may be published from here.
  ///
  /// Other files that are made here meanwhile are not touched.
  ///
  /// - Parameter remade: The files, for recordings that have rows. If this import is interrupted, a
  ///   published file is complete, and recovery only updates its row.
  package func seal(remade: [RemadeFile]) throws(HoldfastError) {
    try seal(
      remade.map(\.line), syncing: remade.map(\.path.name), allowing: remade.map(\.path))
  }

  private func seal(
    _ lines: [String], syncing names: [String], allowing paths: [RelativePath]
  ) throws(HoldfastError) {
    if !lines.isEmpty {
      let before = state.withLock { $0.isStranded ? $0.lines : [] }
      // The lines that recovery still needs stay on the list.
      try lock.write(before + lines)
      state.withLock { $0.lines = before + lines }
      try lock.sync()
    }
    // The files are opened again here, because a long recording has hundreds of parts, too many to
    // keep open. Linux reports a write-back error that no process has seen yet to the next one that
    // opens the file.
    for name in names { try SystemCalls.sync(directory.openFile(name, to: "sync")) }
    if !lines.isEmpty { try directory.sync() }
    state.withLock { $0.sealed = Set(paths) }
  }

  /// Removes the folder and the files made in it, and releases its lock. Does nothing if already
  /// done.
  ///
  /// Published files stay. Call it when the rows are written, or when nothing is published. If a
  /// published file could not be taken back, or if ``leaveToRecovery()`` was called, it only
  /// releases the lock. Recovery then does the rest, and so it does after an error.
  package func remove() throws(HoldfastError) {
    let made = state.withLock { state -> (names: Set<String>, pins: Int)? in
      guard !state.isRemoved else { return nil }
      state.isRemoved = true
      return state.isStranded ? nil : (state.names, state.pins)
    }
    guard let made else { return lock.release() }
    defer { lock.release() }
    for name in made.names.sorted() { try directory.remove(name) }
    for number in 0..<made.pins { try directory.remove(Self.nameOfPin(number)) }
    // The lock file with the list of what may have been published is removed last.
    try directory.remove(Layout.workLock)
    lock.release()
    try parent.removeEmpty(name.text)
  }

  private func refuseUnlessPlain(_ name: String) throws(HoldfastError) {
    let isPlain =
      !["", ".", "..", Layout.workLock].contains(name)
      && !name.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == 0 })
    guard isPlain else {
      throw HoldfastError(.unsafePath, operation: "name a file", path: directory.place(name).path)
    }
  }
}

extension LibraryTree {
  /// Makes a folder for one import's work, and locks it for as long as the result lives. Until it
  /// is locked, the writer lock hides it from others.
  package func makeStaging(
    id: UUID, under lock: borrowing WriterLock
  ) throws(HoldfastError) -> Staging {
    try Staging(id: id, library: directory, machine: machine)
  }
}
