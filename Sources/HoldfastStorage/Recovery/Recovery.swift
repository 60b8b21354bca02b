import Foundation
package import HoldfastModel

/// A recovery, which makes the files match the rows after operations that were interrupted.
///
/// A folder whose operation is still at work is left alone. For this computer's other folders, the
/// row decides. Without a row, the files that an import published are removed, and a deletion is
/// finished. With a row, an import counts as done, and a deletion is undone. Only Holdfast's own
/// files are touched, and no link is followed.
///
/// Another computer's folder is left alone until nothing in it has changed for a day: it may have a
/// lock and rows that this computer does not see yet. Then an erase is undone, a deletion whose row
/// exists is undone, and anything else is moved into quarantine. The files that the other computer
/// published stay. An older Holdfast made staging folders that do not name their computer. They are
/// treated the same way, except that an empty one is removed.
///
/// An erase counts as not committed, and is undone. If the catalog has the mark of a committed
/// erase, call ``Erasure/finish(under:hasRow:)`` first.
package struct Recovery {
  let tree: LibraryTree
  let hasRow: (RecordingID) throws -> Bool
  let hash: (OpenFile) throws -> KnownHash
  var report = RecoveryReport()

  /// Prepares a recovery.
  ///
  /// - Parameters:
  ///   - hasRow: Returns whether a recording has a row.
  ///   - hash: Returns a file's hash, if it is known. It must not read the file, because other
  ///     processes would wait. Steps that need an unknown hash are not done. Read those files when
  ///     the lock is free, and recover again.
  package init(
    of tree: LibraryTree, hasRow: @escaping (RecordingID) throws -> Bool,
    hash: @escaping (OpenFile) throws -> KnownHash
  ) {
    (self.tree, self.hasRow, self.hash) = (tree, hasRow, hash)
  }

  /// Recovers. It may be interrupted at any point and started again.
  ///
  /// - Parameters:
  ///   - isOffline: Returns whether the recordings' files are missing as a whole. It is called
  ///     after erases are undone, if there is more to do. If it returns `true`, the rest is put
  ///     off: published files could not be found, and a file that is moved back would be where a
  ///     disk's folder belongs.
  ///   - settle: Updates the row of a remade file, if that file is in its place. Returns `false` if
  ///     that depends on an unknown hash.
  package consuming func run(
    under lock: borrowing WriterLock, isOffline: () throws -> Bool,
    settling settle: (RemadeFile) throws -> Bool
  ) throws -> RecoveryReport {
    // This comes first: the files of an interrupted import must be in `Recordings`, not the trash.
    try undoErasures(under: lock)
    let isAnythingLeft = try tree.contents.leftovers().contains { !$0.isAtWork }
    report.isPutOff = try isAnythingLeft && isOffline()
    if report.isPutOff { return report }
    try endImports(settling: settle)
    try endDeletions(under: lock)
    try quarantineAbandoned(under: lock)
    return report
  }

  /// Brings back the folders of an erase that was interrupted before its commit. If another
  /// computer began the erase, this happens only after a day.
  private mutating func undoErasures(under lock: borrowing WriterLock) throws(HoldfastError) {
    guard let trash = try tree.directory.existing(Layout.trash) else { return }
    for name in try trash.erases() {
      // The folders of an older Holdfast's erase are brought back as well: that loses nothing.
      guard let work = try Work(name, in: trash, machine: tree.machine) else { continue }
      switch work.standing {
      case .living: continue
      case .others: guard try isAbandoned(work, under: lock) else { continue }
      case .own, .unowned: break
      }
      var erase = SetAside(name: name, library: tree.directory, trash: trash)
      if try erase.bringBack() { report.broughtBack.append(name.id) }
      report.leftAlone += erase.leftAlone
    }
  }

  /// Whether another computer's folder has not changed for a day. Both this computer's clock and
  /// the clock of the library's filesystem must say so, because one of them may be wrong.
  func isAbandoned(_ work: Work, under lock: borrowing WriterLock) throws(HoldfastError) -> Bool {
    guard work.standing == .others else { return false }
    let lastChange = try work.lastChange()
    guard Work.isAbandoned(lastChange, at: .now) else { return false }
    return Work.isAbandoned(lastChange, at: try lock.filesystemTime())
  }

  /// Moves the folders in ``RecoveryReport/others`` that have not changed for a day into
  /// quarantine, by both clocks as in ``isAbandoned(_:under:)``. A folder that cannot be moved
  /// stays, and does not prevent writing to the library.
  private mutating func quarantineAbandoned(under lock: borrowing WriterLock) throws(HoldfastError)
  {
    guard report.others.contains(where: { $0.isAbandoned(at: .now) }) else { return }
    let time = min(.now, try lock.filesystemTime())
    let abandoned = report.others.filter { $0.isAbandoned(at: time) }
    guard !abandoned.isEmpty else { return }
    let quarantine = try tree.quarantines.make(at: Date(), under: lock)
    for work in abandoned {
      do throws(HoldfastError) {
        try quarantine.move(
          Array(work.path.utf8),
          note: "another computer, or an older Holdfast, had not changed it for a day", under: lock)
        report.quarantine = quarantine.name
        report.others.removeAll { $0 == work }
      } catch {}
    }
    if report.quarantine == nil { try? quarantine.removeUnused() }
  }

  mutating func leave(_ work: Work, in parent: String) throws(HoldfastError) {
    report.others.append(
      OthersWork(path: "\(parent)/\(work.name.text)", lastChange: try work.lastChange()))
  }
}
