public import Foundation
internal import Glibc
public import HoldfastModel

/// A folder in `.quarantine`, where one repair puts what does not belong where it was found.
///
/// Everything in it lies as it lay in the library, so that its path says where it was, and a note
/// says why it was moved. Nothing in it is ever removed by Holdfast.
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

  /// Moves something out of the tree, with a note.
  ///
  /// - Parameters:
  ///   - path: Where it is, relative to the library's folder; a link is moved, not followed.
  ///   - keepsName: Whether a file has its old name as well, until another one takes that: so a
  ///     recording is never without a file. Folders, and disks that know no second names, do without.
  ///   - note: Why, in one line.
  ///   - lock: The writer lock: make sure under it that this is still to be done.
  /// - Throws: ``StorageError``; then it is where it was.
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
    // Where it is to be found comes first.
    try target.sync()
    try origin.sync()
  }

  /// Removes it, if nothing was moved there.
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

/// A file that lies in quarantine.
public struct QuarantinedFile: Sendable {
  /// The quarantine's name.
  public let quarantine: String
  /// Where it was, relative to the library's folder.
  public let path: [UInt8]
  /// How it stands.
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

  /// Opened when it is needed: there may be more folders than a process may hold open.
  fileprivate func parent() throws(StorageError) -> (Directory, name: [UInt8]) {
    try library.parent(of: Array("\(Layout.quarantine)/\(quarantine)/".utf8) + path)
  }

  /// Opens it.
  ///
  /// - Throws: ``StorageError``.
  public func openForReading() throws(StorageError) -> OpenFile {
    let (folder, name) = try parent()
    return try SystemCalls.open(
      Place(in: folder.file, name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY)
  }
}

extension Quarantine {
  /// What a quarantine is called that is made at a moment, in UTC.
  public static func name(at date: Date) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = .gmt
    formatter.dateFormat = "yyyy-MM-dd-HHmmss"
    return formatter.string(from: date)
  }
}

extension LibraryTree {
  /// Makes a quarantine.
  ///
  /// - Parameters:
  ///   - name: What it is to be called; a number follows if there is one of that name.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``.
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

  /// The regular files that lie in quarantine.
  ///
  /// - Parameter fail: Takes why something in it cannot be read; the rest is.
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

  /// Gives a file from quarantine a path in the tree, in the place of what is there.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - path: The path. What is there must have a second name in quarantine.
  ///   - lock: The writer lock.
  /// - Throws: ``StorageError``; then it is where it was.
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

  /// Puts back what lay in `Recordings`, as far as nothing else is there now. What lay elsewhere is an
  /// operation's that died, and stays.
  ///
  /// - Parameters:
  ///   - name: The quarantine.
  ///   - lock: The writer lock.
  ///   - visit: Takes each thing, and why it is not back; `nil` if it is.
  /// - Throws: ``StorageError``: `missing` when there is no such quarantine, or what the system says;
  ///   and what `visit` throws.
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
    // The notes stay as long as what they are about.
    if try folder.entries().allSatisfy({ $0.text == Layout.quarantineNotes }) {
      try folder.remove(Layout.quarantineNotes)
      try parent.removeEmpty(name)
    }
  }

  /// Names what is not put back: of `.staging` and `.trash`, each folder in them.
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
  /// The two folders, as what lies in them begins.
  fileprivate enum Folder {
    static let recordings = "\(root)/"
    static let thumbnails = "\(root)/\(RelativePath.thumbnails)/"
  }
}

extension Directory {
  /// The folder that something lies in, opened without following a link, and its name there.
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
