package import Foundation
import Glibc
package import HoldfastModel

/// The quarantines of a library, in `.quarantine`.
package struct Quarantines: Sendable {
  let library: Directory

  /// Makes a quarantine, which is named by the moment. If that name is taken, a number is appended.
  package func make(at date: Date, under lock: borrowing WriterLock) throws(HoldfastError)
    -> Quarantine
  {
    let parent = try library.making(Layout.quarantine)
    let name = Self.name(at: date)
    var free = name
    var number = 1
    while try SystemCalls.identity(of: parent.place(free)) != nil {
      number += 1
      free = "\(name)-\(number)"
    }
    return Quarantine(name: free, library: library, folder: try parent.making(free))
  }

  /// Returns the regular files in quarantine, except those at the top of a quarantine, such as its
  /// notes.
  ///
  /// - Parameter fail: Takes the error for an entry in quarantine that cannot be read. It does not
  ///   stop the rest.
  /// - Throws: `HoldfastError` when `.quarantine` itself cannot be read.
  package func files(orFail fail: (HoldfastError) -> Void) throws -> [QuarantinedFile] {
    var files: [QuarantinedFile] = []
    try forEachFile { path, identity in
      // `.quarantine`, the quarantine's name, and the path in it.
      let parts = path.split(separator: Layout.slash, maxSplits: 2)
      guard identity.kind == .regular, parts.count == 3, parts[2].contains(Layout.slash),
        let name = String(validating: parts[1], as: UTF8.self)
      else { return }
      files.append(
        QuarantinedFile(
          quarantine: name, path: Array(parts[2]), identity: identity, library: library))
    } orFail: { path, error in
      if path.elementsEqual(Layout.quarantine.utf8) { throw error }
      fail(error)
    }
    return files.sorted { one, other in
      one.quarantine == other.quarantine
        ? one.path.lexicographicallyPrecedes(other.path) : one.quarantine < other.quarantine
    }
  }

  /// Visits all but folders in quarantine. Paths are relative to the library's folder.
  package func forEachFile(
    _ visit: (_ path: [UInt8], _ identity: FileIdentity) throws -> Void,
    orFail fail: (_ path: [UInt8], _ error: HoldfastError) throws -> Void
  ) throws {
    let quarantine: Directory?
    do throws(HoldfastError) { quarantine = try library.existing(Layout.quarantine) } catch {
      return try fail(Array(Layout.quarantine.utf8), error)
    }
    try quarantine?.forEachFile(under: Layout.quarantine, visit, orFail: fail)
  }

  /// Moves a file from quarantine to a path in the tree, and replaces any entry there.
  ///
  /// - Parameter path: The path. An entry there must have a second name in quarantine.
  /// - Throws: `HoldfastError`. The file is then not moved, unless only the sync of a folder
  ///   failed.
  package func putBack(
    _ file: QuarantinedFile, to path: RelativePath, under lock: borrowing WriterLock
  ) throws(HoldfastError) {
    let folders = try RecordingFolders(in: library, for: [path])
    let (folder, name) = try file.parent()
    try? SystemCalls.setMode(0o600, of: DirectoryRelativePath(in: folder.file, name))
    try SystemCalls.rename(
      DirectoryRelativePath(in: folder.file, name), replacing: folders.place(path))
    try folders.sync([path])
    try folder.sync()
  }

  /// Moves entries back to `Recordings`, unless their names are taken now.
  ///
  /// Entries from elsewhere belong to an interrupted operation, and stay.
  ///
  /// - Parameter visit: Takes each entry, and the error if it was not moved back or could not be
  ///   synced. `nil` means that it is back.
  /// - Throws: `HoldfastError`: `missing` when the quarantine is missing, or a system error;
  ///   and what `visit` throws.
  package func restore(
    _ name: String, under lock: borrowing WriterLock,
    _ visit: (ScannedEntry, _ failure: HoldfastError?) throws -> Void
  ) throws {
    guard name != ".", name != "..", !name.utf8.contains(Layout.slash),
      let parent = try library.existing(Layout.quarantine),
      let folder = try parent.existing(name)
    else {
      throw HoldfastError(
        .missing, operation: "open", path: "\(Layout.quarantine)/\(name)", errno: ENOENT)
    }
    try restoreRecordings(from: folder, visit)
    for entry in try folder.entries()
    where entry.text != RelativePath.root && entry.text != Layout.quarantineNotes {
      try visitLeft(entry, in: folder, visit)
    }
    // The notes stay as long as the entries that they describe.
    if try folder.entries().allSatisfy({ $0.text == Layout.quarantineNotes }) {
      try folder.remove(Layout.quarantineNotes)
      try parent.removeEmpty(name)
    }
  }

  /// Visits the entries that are not moved back. For `.staging` and `.trash`, visits their
  /// contents.
  private func visitLeft(
    _ entry: DirectoryEntry, in folder: Directory,
    _ visit: (ScannedEntry, _ failure: HoldfastError?) throws -> Void
  ) throws {
    let inner = entry.kind == .directory ? try folder.existing(bytes: entry.name) : nil
    let paths = try inner?.entries().map { entry.name + [Layout.slash] + $0.name } ?? [entry.name]
    for path in paths {
      let place = DirectoryRelativePath(in: folder.file, path)
      guard let identity = try SystemCalls.identity(of: place) else { continue }
      try visit(
        ScannedEntry(bytes: path, identity: identity),
        HoldfastError(.notRestored, operation: "restore", path: place.path))
    }
  }

  private func restoreRecordings(
    from folder: Directory, _ visit: (ScannedEntry, _ failure: HoldfastError?) throws -> Void
  ) throws {
    guard let old = try folder.existing(RelativePath.root) else { return }
    let folders = try RecordingFolders(in: library)
    if let thumbnails = try old.folder(RelativePath.thumbnails) {
      try Self.restore(thumbnails, named: "\(Layout.thumbnails)/", to: folders.thumbnails, visit)
      try old.removeEmpty(RelativePath.thumbnails)
    }
    if let photos = try old.folder(RelativePath.photos) {
      let target = try folders.recordings.making(RelativePath.photos)
      try Self.restore(photos, named: "\(Layout.photos)/", to: target, visit)
      try old.removeEmpty(RelativePath.photos)
    }
    try Self.restore(old, named: "\(RelativePath.root)/", to: folders.recordings, visit)
    try folder.removeEmpty(RelativePath.root)
  }

  private static func restore(
    _ old: Directory, named prefix: String, to new: Directory,
    _ visit: (ScannedEntry, _ failure: HoldfastError?) throws -> Void
  ) throws {
    for entry in try old.entries() {
      guard
        let identity = try SystemCalls.identity(of: DirectoryRelativePath(in: old.file, entry.name))
      else {
        continue
      }
      let scanned = ScannedEntry(bytes: Array(prefix.utf8) + entry.name, identity: identity)
      do throws(HoldfastError) {
        try SystemCalls.rename(
          DirectoryRelativePath(in: old.file, entry.name),
          to: DirectoryRelativePath(in: new.file, entry.name))
        try new.sync()
        try old.sync()
      } catch {
        try visit(scanned, error)
        continue
      }
      try visit(scanned, nil)
    }
  }

  private static func name(at date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: date)
  }
}
