import Glibc
package import HoldfastModel

/// A folder in `.quarantine` for everything that one repair found out of place.
///
/// In it, everything keeps its path from the library, and a note says why it was moved. Holdfast
/// removes nothing from it, except when it erases everything.
package struct Quarantine: Sendable {
  package let name: String
  let library: Directory
  let folder: Directory

  /// Moves something out of the tree, and writes a note about it.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the library's folder. A link is moved, not followed.
  ///   - keepsName: Whether a file also keeps its old name until another file replaces it, so that
  ///     a recording is never without a file. This has no effect on folders, or on disks without
  ///     hard links.
  ///   - note: The reason, in one line.
  ///   - lock: The writer lock. Check under it that the move is still needed.
  /// - Throws: ``HoldfastError``. Nothing is then moved, unless only the sync of a folder failed.
  package func move(
    _ path: [UInt8], keepingName keepsName: Bool = false, note: String,
    under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    let (origin, name) = try library.parent(of: path)
    var target = folder
    for name in path.split(separator: Layout.slash).dropLast() {
      target = try target.making(String(decoding: name, as: UTF8.self))
    }
    try write("\(SourcePath(bytes: path)): \(note)\n")
    let (old, new) = (
      DirectoryRelativePath(in: origin.file, name), DirectoryRelativePath(in: target.file, name)
    )
    var isLinked = false
    if keepsName {
      do throws(HoldfastError) {
        try SystemCalls.link(old, new)
        isLinked = true
      } catch let error where error.lacksHardLinks {}
    }
    if !isLinked { try SystemCalls.rename(old, to: new) }
    // The new folder is synced first.
    try target.sync()
    try origin.sync()
  }

  func removeUnused() throws(HoldfastError) {
    for name in [Layout.staging, Layout.trash] { try folder.removeEmpty(name) }
    guard try folder.entries().allSatisfy({ $0.text == Layout.quarantineNotes }) else { return }
    try folder.remove(Layout.quarantineNotes)
    try library.existing(Layout.quarantine)?.removeEmpty(name)
  }

  private func write(_ line: String) throws(HoldfastError) {
    var notes = try folder.existingFile(Layout.quarantineNotes, O_WRONLY | O_APPEND)
    let isNew = notes == nil
    if isNew { notes = try folder.makeFile(Layout.quarantineNotes) }
    guard let notes else { return }
    try notes.write(ArraySlice(line.utf8))
    try SystemCalls.sync(notes)
    if isNew { try folder.sync() }
  }
}

package struct QuarantinedFile: Sendable {
  package let quarantine: String
  /// Where the file was, relative to the library's folder.
  package let path: [UInt8]
  /// The file's identity when it was listed.
  package let identity: FileIdentity
  let library: Directory

  /// Opens the parent folder only when needed: there may be more than a process may open.
  func parent() throws(HoldfastError) -> (Directory, name: [UInt8]) {
    try library.parent(of: Array("\(Layout.quarantine)/\(quarantine)/".utf8) + path)
  }

  package func openForReading() throws(HoldfastError) -> OpenFile {
    let (folder, name) = try parent()
    return try SystemCalls.open(
      DirectoryRelativePath(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }
}
