public import Foundation
internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// The first step of erasing everything: `Recordings` becomes `.trash/<ID>/Recordings`.
  ///
  /// All of an erase is done under one hold of the lock, and not while an import is at work: see
  /// ``Leftovers/hasLivingImports``. After this step the catalog deletes every row and sets its
  /// mark, in one transaction; then ``removeErased(under:hasRow:)``, and the mark goes. If the
  /// transaction did not come about, ``bringRecordingsBack(_:under:)``. Whatever stops it
  /// half-way, the next who opens the library for writing looks for the mark: with it, the erase
  /// is finished; without it, ``recover(under:hasRow:)`` undoes it.
  ///
  /// A library without `Recordings` has nothing to set aside, and that is no error.
  ///
  /// - Parameters:
  ///   - id: The erase's identity, a new one each time.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``, and then nothing was moved: `notAFolder` when a link or a file
  ///   stands in the place of one of the library's folders, so that not everything could be
  ///   erased; `interruptedErase` when an earlier erase is neither finished nor undone; or what
  ///   the system says.
  public func setRecordingsAside(
    as id: UUID, under lock: borrowing WriterLock
  ) throws(StorageError) {
    try refuseUnlessFolders()
    // The earlier one may have its mark and this one not yet: then neither the one nor the other
    // could be told apart in the trash.
    guard try !directory.hasInterruptedErase() else {
      throw StorageError(
        .interruptedErase, "erase", path: directory.place(RelativePath.root).path)
    }
    let trash = try directory.making(Layout.trash)
    let folder = try trash.making(id.uuidString)
    do throws(StorageError) {
      let recordings = directory.place(RelativePath.root)
      try SystemCalls.rename(recordings, to: folder.place(RelativePath.root))
      try folder.sync()
      try directory.sync()
    } catch let error where error.code == .missing {
      try trash.removeEmpty(id.uuidString)
    } catch {
      try? bringRecordingsBack(id, under: lock)
      throw error
    }
  }

  /// Undoes ``setRecordingsAside(as:under:)``, because the catalog did not go along; nothing if
  /// that is done.
  ///
  /// Make sure that the mark is not set: what is brought back must have its rows. If something of
  /// that name is there again, nothing is replaced; what has no place stays for recovery.
  ///
  /// - Parameters:
  ///   - id: The erase's identity.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError`` when the system refuses; then recovery sees to the rest.
  public func bringRecordingsBack(
    _ id: UUID, under lock: borrowing WriterLock
  ) throws(StorageError) {
    guard let trash = try directory.existing(Layout.trash) else { return }
    var erase = SetAside(id: id, library: directory, trash: trash)
    _ = try erase.bringBack()
  }

  /// The last step of erasing everything, when the catalog has its mark: all of `.trash`,
  /// `.staging` and `.quarantine` is removed, whatever it is. Links are not followed.
  ///
  /// It may stop anywhere and start again; the mark goes when it has returned. Left alone is what
  /// began after an erase that died here: an import that is at work, what has a row, and what
  /// lies in the trash and has a row. After it, call ``recover(under:hasRow:)`` for those.
  ///
  /// - Parameters:
  ///   - lock: The writer lock.
  ///   - hasRow: Whether the catalog has a recording of that ID.
  /// - Throws: ``StorageError`` for the first thing that could not be removed, after the others
  ///   were; and what `hasRow` throws.
  public func removeErased(
    under lock: borrowing WriterLock, hasRow: (UUID) throws -> Bool
  ) throws {
    // The end of the catalog's journal: if it came back, so would the rows.
    try directory.sync()
    let trash = try directory.making(Layout.trash)
    var removal = TreeRemoval(by: trash)
    for entry in try trash.entries() where try !Self.isOfRow(entry, in: trash, hasRow) {
      removal.remove(entry, in: trash)
    }
    removal.remove(Layout.quarantine, in: directory)
    removal.run()

    let staging = try directory.making(Layout.staging)
    var report = RecoveryReport()
    try recoverStaging(&report, { _ in }, hasRow)
    for entry in try staging.entries() where try !Self.isAlive(entry, in: staging) {
      removal.remove(entry, in: staging)
    }
    try removal.finish()

    _ = try RecordingFolders(in: directory)
    try trash.sync()
    try staging.sync()
    try directory.sync()
  }

  /// Brings back what erases had set aside that died before their commit.
  func recoverErases(_ report: inout RecoveryReport) throws(StorageError) {
    guard let trash = try directory.existing(Layout.trash) else { return }
    for id in try trash.erases() {
      var erase = SetAside(id: id, library: directory, trash: trash)
      if try erase.bringBack() { report.broughtBack.append(id) }
      report.leftAlone += erase.leftAlone
    }
  }

  /// Whether something in the trash is a recording's that has a row. Then it was not erased: its
  /// deletion, or another erase, did not come to its commit.
  private static func isOfRow(
    _ entry: DirectoryEntry, in trash: Directory, _ hasRow: (UUID) throws -> Bool
  ) throws -> Bool {
    guard let id = entry.uuid, entry.kind == .directory else { return false }
    if try hasRow(id) { return true }
    for recording in try trash.recordings(setAsideAs: id)?.entries() ?? [] {
      let path = recording.text.flatMap { RelativePath("\(RelativePath.root)/\($0)") }
      if let id = path?.recordingID, try hasRow(id) { return true }
    }
    return false
  }

  /// What stands elsewhere behind a link would outlast the erase.
  private func refuseUnlessFolders() throws(StorageError) {
    let thumbnails = "\(RelativePath.root)/\(RelativePath.thumbnails)"
    let folders = [
      RelativePath.root, thumbnails, Layout.trash, Layout.staging, Layout.quarantine,
    ]
    for name in folders {
      let kind = try SystemCalls.identity(of: directory.place(name))?.kind
      guard [nil, .directory].contains(kind) else {
        throw StorageError(.notAFolder, "erase", path: directory.place(name).path)
      }
    }
  }
}

extension Directory {
  /// Whether the trash of this library holds recordings that an erase set aside.
  func hasInterruptedErase() throws(StorageError) -> Bool {
    try existing(Layout.trash)?.erases().isEmpty == false
  }

  /// The erases that set something aside in this trash.
  fileprivate func erases() throws(StorageError) -> [UUID] {
    var erases: [UUID] = []
    for entry in try entries() {
      guard let id = entry.uuid, entry.kind == .directory else { continue }
      if try recordings(setAsideAs: id) != nil { erases.append(id) }
    }
    return erases
  }

  /// What one erase set aside in this trash; `nil` if there is nothing.
  fileprivate func recordings(setAsideAs id: UUID) throws(StorageError) -> Directory? {
    guard let folder = try existing(id.uuidString),
      try SystemCalls.identity(of: folder.place(RelativePath.root))?.kind == .directory
    else { return nil }
    return try folder.existing(RelativePath.root)
  }
}
