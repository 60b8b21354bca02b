public import Foundation
internal import Glibc
internal import HoldfastModel

extension LibraryTree {
  /// The first step of erasing everything: `Recordings` becomes `.trash/<ID>.<machine>/Recordings`, and
  /// `.quarantine` goes beside it. So what a repair moves aside later is not taken for erased.
  ///
  /// All of an erase is done under one hold of the lock, and not while an import is at work: see
  /// ``Leftovers/folderAtWork``. After this step the catalog deletes every row and sets its
  /// mark, in one transaction; then ``removeErased(_:under:hasRow:)``, and the mark goes. If the
  /// transaction did not come about, ``bringRecordingsBack(_:under:)``. Whatever stops it
  /// half-way, the next who opens the library for writing looks for the mark: with it, the erase
  /// is finished; without it, ``recover(under:hasRow:)`` undoes it.
  ///
  /// A library without these folders has nothing to set aside, and that is no error.
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
    let name = WorkName(id, machine: machine)
    let folder = try trash.making(name.text)
    do throws(StorageError) {
      // Only the owner's note: the lock would not outlast this call.
      _ = try WorkLock(in: folder, id: id, machine: machine)
      for name in SetAside.names { try setAside(name, in: folder) }
      guard try trash.hasSetAside(name) else { return _ = try trash.removeEmptyWork(name) }
      try folder.sync()
      try directory.sync()
    } catch {
      try? bringRecordingsBack(id, under: lock)
      throw error
    }
  }

  private func setAside(_ name: String, in folder: Directory) throws(StorageError) {
    let place = directory.place(name)
    guard try SystemCalls.identity(of: place) != nil else { return }
    try SystemCalls.rename(place, to: folder.place(name))
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
    let name = WorkName(id, machine: machine)
    var erase = SetAside(name, library: directory, trash: trash)
    _ = try erase.bringBack()
  }

  /// The last step of erasing everything, when the catalog has its mark: all of `.trash` and `.staging`
  /// is removed, whatever it is. Links are not followed.
  ///
  /// It may stop anywhere and start again; the mark goes when it has returned. Left alone is what
  /// began after an erase that died here: what is at work, here or on another computer, what has a
  /// row, what lies in the trash and has a row, another erase, and what a repair put into quarantine.
  /// After it, call ``recover(under:hasRow:)`` for those.
  ///
  /// - Parameters:
  ///   - id: The erase's identity, as the mark has it. It is finished whichever computer began it.
  ///   - lock: The writer lock.
  ///   - hasRow: Whether the catalog has a recording of that ID.
  /// - Throws: ``StorageError`` for the first thing that could not be removed, after the others
  ///   were; and what `hasRow` throws.
  public func removeErased(
    _ id: UUID, under lock: borrowing WriterLock, hasRow: (UUID) throws -> Bool
  ) throws {
    // The end of the catalog's journal: if it came back, so would the rows.
    try directory.sync()
    let trash = try directory.making(Layout.trash)
    var removal = TreeRemoval(by: trash)
    for entry in try trash.entries()
    where try isErased(entry, by: id, in: trash) && !Self.isOfRow(entry, in: trash, hasRow) {
      removal.remove(entry, in: trash)
    }
    removal.run()

    let staging = try directory.making(Layout.staging)
    var report = RecoveryReport()
    try recoverStaging(&report, { _ in true }, hasRow)
    for entry in try staging.entries() where try !isAtWork(entry, in: staging) {
      removal.remove(entry, in: staging)
    }
    try removal.finish()

    _ = try RecordingFolders(in: directory)
    try trash.sync()
    try staging.sync()
    try directory.sync()
  }

  /// Brings back what erases had set aside that died before their commit. Another computer's is brought
  /// back after a day.
  func recoverErases(
    _ report: inout RecoveryReport, under lock: borrowing WriterLock
  ) throws(StorageError) {
    guard let trash = try directory.existing(Layout.trash) else { return }
    for name in try trash.erases() {
      // What an older Holdfast set aside is brought back as well: nothing is lost by that.
      guard let work = try Work(name, in: trash, machine: machine) else { continue }
      switch work.standing {
      case .living: continue
      case .others: guard try isAbandoned(work, under: lock) else { continue }
      case .own, .unowned: break
      }
      var erase = SetAside(name, library: directory, trash: trash)
      if try erase.bringBack() { report.broughtBack.append(name.id) }
      report.leftAlone += erase.leftAlone
    }
  }

  /// Whether an erase that has its mark removes something that lies in the trash.
  private func isErased(
    _ entry: DirectoryEntry, by id: UUID, in trash: Directory
  ) throws(StorageError) -> Bool {
    let name = WorkName(entry)
    // Another computer that began it needs it no more: left alone, it would be brought back.
    if name?.id == id { return true }
    if let name, try trash.hasSetAside(name) { return false }
    return try !isAtWork(entry, in: trash)
  }

  /// Whether something in the trash is a recording's that has a row. Then it was not erased: its
  /// deletion, or another erase, did not come to its commit.
  private static func isOfRow(
    _ entry: DirectoryEntry, in trash: Directory, _ hasRow: (UUID) throws -> Bool
  ) throws -> Bool {
    guard let name = WorkName(entry) else { return false }
    if try hasRow(name.id) { return true }
    let recordings = try trash.existing(name.text)?.folder(RelativePath.root)
    for recording in try recordings?.entries() ?? [] {
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
  fileprivate func erases() throws(StorageError) -> [WorkName] {
    var erases: [WorkName] = []
    for name in try entries().compactMap(WorkName.init)
    where try hasSetAside(name) { erases.append(name) }
    return erases
  }

  /// Whether an erase has set something aside in this trash.
  fileprivate func hasSetAside(_ name: WorkName) throws(StorageError) -> Bool {
    guard let folder = try existing(name.text) else { return false }
    for name in SetAside.names where try folder.folder(name) != nil { return true }
    return false
  }

  /// A folder in this one; `nil` where there is none, or something else.
  fileprivate func folder(_ name: String) throws(StorageError) -> Directory? {
    guard try SystemCalls.identity(of: place(name))?.kind == .directory else { return nil }
    return try existing(name)
  }
}
