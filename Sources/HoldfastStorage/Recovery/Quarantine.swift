public import Foundation
internal import Glibc
public import HoldfastModel

/// A folder in `.quarantine`, where one repair puts what does not belong where it was found.
///
/// In it, everything keeps its path from the library, and a note says why it was moved. Holdfast
/// removes nothing from it, except when it erases everything.
public struct Quarantine: Sendable {
  /// The folder's name.
  public let name: String
  private let library: Directory
  private let folder: Directory

  init(name: String, library: Directory, folder: Directory) {
    self.name = name
    self.library = library
    self.folder = folder
  }

  /// Moves something out of the tree, and writes a note about it.
  ///
  /// - Parameters:
  ///   - path: The path, relative to the library's folder. A link is moved, not followed.
  ///   - keepsName: Whether a file also keeps its old name until another file replaces it, so that
  ///     a recording is never without a file. This has no effect on folders, or on disks without
  ///     hard links.
  ///   - note: The reason, in one line.
  ///   - lock: The writer lock. Check under it that the move is still needed.
  /// - Throws: ``StorageError``. Nothing is then moved, unless only the sync of a folder failed.
  public func take(
    _ path: [UInt8], keepingName keepsName: Bool = false, note: String,
    under lock: borrowing WriterLock
  ) throws(StorageError) {
    let (origin, name) = try library.parent(of: path)
    var target = folder
    for name in path.split(separator: Layout.slash).dropLast() {
      target = try target.making(String(decoding: name, as: UTF8.self))
    }
    try write("\(SourcePath(bytes: path)): \(note)\n")
    let (old, new) = (Place(in: origin.file, name), Place(in: target.file, name))
    var isLinked = false
    if keepsName {
      do throws(StorageError) {
        try SystemCalls.link(old, new)
        isLinked = true
      } catch let error where error.isForWantOfLinks {}
    }
    if !isLinked { try SystemCalls.rename(old, to: new) }
    // The new folder is synced first.
    try target.sync()
    try origin.sync()
  }

  /// Removes the quarantine, if nothing was moved there.
  func removeUnused() throws(StorageError) {
    for name in [Layout.staging, Layout.trash] { try folder.removeEmpty(name) }
    guard try folder.entries().allSatisfy({ $0.text == Layout.quarantineNotes }) else { return }
    try folder.remove(Layout.quarantineNotes)
    try library.existing(Layout.quarantine)?.removeEmpty(name)
  }

  private func write(_ line: String) throws(StorageError) {
    var notes = try folder.existingFile(Layout.quarantineNotes, O_WRONLY | O_APPEND)
    let isNew = notes == nil
    if isNew { notes = try folder.makeFile(Layout.quarantineNotes) }
    guard let notes else { return }
    try notes.write(ArraySlice(line.utf8))
    try SystemCalls.sync(notes)
    if isNew { try folder.sync() }
  }
}

/// A file in quarantine.
public struct QuarantinedFile: Sendable {
  /// The quarantine's name.
  public let quarantine: String
  /// Where the file was, relative to the library's folder.
  public let path: [UInt8]
  /// The file's identity when it was listed.
  public let identity: FileIdentity
  private let library: Directory

  fileprivate init(
    quarantine: String, path: [UInt8], identity: FileIdentity, library: Directory
  ) {
    self.quarantine = quarantine
    self.path = path
    self.identity = identity
    self.library = library
  }

  /// Opens the parent folder only when it is needed: there may be more folders than a process may
  /// open.
  fileprivate func parent() throws(StorageError) -> (Directory, name: [UInt8]) {
    try library.parent(of: Array("\(Layout.quarantine)/\(quarantine)/".utf8) + path)
  }

  /// Opens the file for reading.
  ///
  /// - Throws: ``StorageError`` when the file or its folder cannot be opened.
  public func openForReading() throws(StorageError) -> OpenFile {
    let (folder, name) = try parent()
    return try SystemCalls.open(
      Place(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }
}

extension Quarantine {
  /// Returns the name of a quarantine that is made at this moment, in UTC.
  public static func name(at date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: date)
  }
}

extension LibraryTree {
  /// Makes a quarantine in the library.
  ///
  /// - Parameters:
  ///   - name: The quarantine's name. If it is taken, a number is appended.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError`` when the folder cannot be made.
  public func makeQuarantine(
    named name: String, under lock: borrowing WriterLock
  ) throws(StorageError) -> Quarantine {
    let parent = try directory.making(Layout.quarantine)
    var free = name
    var number = 1
    while try SystemCalls.identity(of: parent.place(free)) != nil {
      number += 1
      free = "\(name)-\(number)"
    }
    return Quarantine(name: free, library: directory, folder: try parent.making(free))
  }

  /// Returns the regular files in quarantine, except those at the top of a quarantine, such as its
  /// notes.
  ///
  /// - Parameter fail: Takes the error for something in quarantine that cannot be read. It does not
  ///   stop the rest.
  /// - Throws: ``StorageError`` when `.quarantine` itself cannot be read.
  public func quarantined(
    orFail fail: (StorageError) -> Void
  ) throws(StorageError) -> [QuarantinedFile] {
    var files: [QuarantinedFile] = []
    guard let parent = try directory.existing(Layout.quarantine) else { return [] }
    for entry in try parent.entries() where entry.kind == .directory {
      guard let name = entry.text else { continue }
      do throws(StorageError) {
        guard let folder = try parent.existing(name) else { continue }
        try collect(from: folder, of: name, path: [], into: &files, orFail: fail)
      } catch {
        fail(error)
      }
    }
    return files
  }

  private func collect(
    from folder: Directory, of quarantine: String, path: [UInt8],
    into files: inout [QuarantinedFile], orFail fail: (StorageError) -> Void
  ) throws(StorageError) {
    for entry in try folder.entries() {
      let entryPath = path.isEmpty ? entry.name : path + [Layout.slash] + entry.name
      do throws(StorageError) {
        if entry.kind == .directory, let inner = try folder.existing(bytes: entry.name) {
          try collect(from: inner, of: quarantine, path: entryPath, into: &files, orFail: fail)
        } else if entry.kind == .regular, !path.isEmpty,
          let identity = try SystemCalls.identity(of: Place(in: folder.file, entry.name))
        {
          files.append(
            QuarantinedFile(
              quarantine: quarantine, path: entryPath, identity: identity, library: directory))
        }
      } catch {
        fail(error)
      }
    }
  }

  /// Moves a file from quarantine to a path in the tree, and replaces what is there.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The path. What is there must have a second name in quarantine.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``. The file is then not moved, unless only the sync of a folder
  ///   failed.
  public func putBack(
    _ file: QuarantinedFile, to path: RelativePath, under lock: borrowing WriterLock
  ) throws(StorageError) {
    let folders = try RecordingFolders(in: directory)
    let (folder, name) = try file.parent()
    try? SystemCalls.setMode(0o600, of: Place(in: folder.file, name))
    try SystemCalls.rename(Place(in: folder.file, name), replacing: folders.place(path))
    try folders.sync([path])
    try folder.sync()
  }

  /// Moves back what was in `Recordings`, where nothing else has its name now.
  ///
  /// What was elsewhere belongs to an interrupted operation, and stays.
  ///
  /// - Parameters:
  ///   - name: The quarantine.
  ///   - lock: The writer lock.
  ///   - visit: Takes each thing, and the error if it was not moved back or could not be synced.
  ///     `nil` means that it is back.
  /// - Throws: ``StorageError``: `missing` when there is no such quarantine, or a system error; and
  ///   what `visit` throws.
  public func restore(
    quarantine name: String, under lock: borrowing WriterLock,
    _ visit: (ScannedEntry, _ failure: StorageError?) throws -> Void
  ) throws {
    guard name != ".", name != "..", !name.utf8.contains(Layout.slash),
      let parent = try directory.existing(Layout.quarantine),
      let folder = try parent.existing(name)
    else {
      throw StorageError(
        .missing, "open", path: "\(Layout.quarantine)/\(name)", errno: ENOENT)
    }
    try restoreRecordings(from: folder, visit)
    for entry in try folder.entries()
    where entry.text != RelativePath.root && entry.text != Layout.quarantineNotes {
      try visitLeft(entry, in: folder, visit)
    }
    // The notes stay as long as what they describe.
    if try folder.entries().allSatisfy({ $0.text == Layout.quarantineNotes }) {
      try folder.remove(Layout.quarantineNotes)
      try parent.removeEmpty(name)
    }
  }

  /// Visits what is not moved back. For `.staging` and `.trash`, that is each entry in them.
  private func visitLeft(
    _ entry: DirectoryEntry, in folder: Directory,
    _ visit: (ScannedEntry, _ failure: StorageError?) throws -> Void
  ) throws {
    let inner = entry.kind == .directory ? try folder.existing(bytes: entry.name) : nil
    let paths = try inner?.entries().map { entry.name + [Layout.slash] + $0.name } ?? [entry.name]
    for path in paths {
      let place = Place(in: folder.file, path)
      guard let identity = try SystemCalls.identity(of: place) else { continue }
      try visit(
        ScannedEntry(bytes: path, identity: identity),
        StorageError(.notRestored, "restore", path: place.path))
    }
  }

  private func restoreRecordings(
    from folder: Directory, _ visit: (ScannedEntry, _ failure: StorageError?) throws -> Void
  ) throws {
    guard let old = try folder.existing(RelativePath.root) else { return }
    let folders = try RecordingFolders(in: directory)
    if try SystemCalls.identity(of: old.place(RelativePath.thumbnails))?.kind == .directory,
      let thumbnails = try old.existing(RelativePath.thumbnails)
    {
      try Self.restore(thumbnails, RelativePath.Folder.thumbnails, to: folders.thumbnails, visit)
      try old.removeEmpty(RelativePath.thumbnails)
    }
    try Self.restore(old, RelativePath.Folder.recordings, to: folders.recordings, visit)
    try folder.removeEmpty(RelativePath.root)
  }

  private static func restore(
    _ old: Directory, _ prefix: String, to new: Directory,
    _ visit: (ScannedEntry, _ failure: StorageError?) throws -> Void
  ) throws {
    for entry in try old.entries() {
      guard let identity = try SystemCalls.identity(of: Place(in: old.file, entry.name)) else {
        continue
      }
      let scanned = ScannedEntry(bytes: Array(prefix.utf8) + entry.name, identity: identity)
      do throws(StorageError) {
        try SystemCalls.rename(Place(in: old.file, entry.name), to: Place(in: new.file, entry.name))
        try new.sync()
        try old.sync()
      } catch {
        try visit(scanned, error)
        continue
      }
      try visit(scanned, nil)
    }
  }
}

extension RelativePath {
  /// The paths of the two folders, with a slash at the end.
  fileprivate enum Folder {
    static let recordings = "\(root)/"
    static let thumbnails = "\(root)/\(RelativePath.thumbnails)/"
  }
}

extension Directory {
  /// Opens the folder of a path without following a link, and returns it with the last name of the
  /// path.
  func parent(of path: [UInt8]) throws(StorageError) -> (Directory, name: [UInt8]) {
    var folder = self
    let names = path.split(separator: Layout.slash)
    for name in names.dropLast() {
      let text = String(decoding: name, as: UTF8.self)
      guard let inner = try folder.existing(bytes: Array(name)) else {
        throw StorageError(.missing, "open", path: folder.place(text).path, errno: ENOENT)
      }
      folder = inner
    }
    return (folder, Array(names.last ?? []))
  }
}
