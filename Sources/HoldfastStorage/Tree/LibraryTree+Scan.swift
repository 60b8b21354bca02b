public import Foundation
internal import Glibc
public import HoldfastModel

/// One name in the library, whoever put it there.
public struct ScannedEntry: Hashable, Sendable, CustomStringConvertible {
  /// The path relative to the library's folder, as the system gives it.
  public let bytes: [UInt8]
  /// What stands there; a symbolic link is not followed.
  public let identity: FileIdentity

  /// What kind of thing it is.
  public var kind: FileIdentity.Kind { identity.kind }

  /// The path, if it is one that the catalog could hold.
  public var path: RelativePath? {
    String(validating: bytes, as: UTF8.self).flatMap { RelativePath($0) }
  }

  /// The path as a person reads it: repaired where it is no text, and escaped for display.
  public var description: String { SourcePath(bytes: bytes).description }
}

/// What unfinished operations left, or are still at.
public struct Leftovers: Hashable, Sendable {
  /// A name in `.staging` or `.trash`.
  public struct Entry: Hashable, Sendable {
    /// The name, repaired where it is no text; not escaped for display.
    public var name: String
    /// Whether somebody is at work in it, or may be: another computer, in what is less than a day old.
    public var isAtWork: Bool
  }

  /// What lies in `.staging`.
  public var staging: [Entry] = []
  /// What lies in `.trash`.
  public var trash: [Entry] = []

  /// Whether there is something to be put right.
  public var isAnythingDead: Bool { (staging + trash).contains { !$0.isAtWork } }
  /// The first folder in which somebody is at work, or may be, relative to the library's folder.
  public var folderAtWork: String? {
    let names =
      staging.filter(\.isAtWork).map { "\(Layout.staging)/\($0.name)" }
      + trash.filter(\.isAtWork).map { "\(Layout.trash)/\($0.name)" }
    return names.first
  }
}

extension LibraryTree {
  /// Shows every name in `Recordings/` and `Recordings/Thumbnails/`, each folder in the order of
  /// the names' bytes.
  ///
  /// Folders other than `Thumbnails` are shown and not entered.
  ///
  /// - Parameters:
  ///   - visit: Takes one entry.
  ///   - fail: Takes what the system says of an entry that cannot be looked at.
  /// - Throws: ``StorageError`` when a folder cannot be read, and what `visit` and `fail` throw.
  public func scan(
    _ visit: (ScannedEntry) throws -> Void,
    orFail fail: (StorageError) throws -> Void = { throw $0 }
  ) throws {
    guard let recordings = try directory.existing(RelativePath.root) else { return }
    let root = "\(RelativePath.root)/"
    try Self.scan(recordings, prefix: root) { entry in
      guard entry.kind == .directory, entry.bytes.elementsEqual("\(root)Thumbnails".utf8) else {
        return try visit(entry)
      }
    } orFail: {
      try fail($0)
    }
    if case .directory? = try SystemCalls.identity(of: recordings.place(RelativePath.thumbnails))?
      .kind, let thumbnails = try recordings.existing(RelativePath.thumbnails)
    {
      try Self.scan(thumbnails, prefix: "\(root)\(RelativePath.thumbnails)/", visit, orFail: fail)
    }
  }

  private static func scan(
    _ folder: Directory, prefix: String, _ visit: (ScannedEntry) throws -> Void,
    orFail fail: (StorageError) throws -> Void
  ) throws {
    for entry in try folder.entries() {
      let found: FileIdentity?
      do throws(StorageError) {
        found = try SystemCalls.identity(of: Place(in: folder.file, entry.name))
      } catch {
        try fail(error)
        continue
      }
      // Gone since it was listed: then it is not there.
      guard let identity = found else { continue }
      try visit(ScannedEntry(bytes: Array(prefix.utf8) + entry.name, identity: identity))
    }
  }

  /// The folders and files that every library has, those of them that are there.
  ///
  /// - Throws: ``StorageError`` when one cannot be looked at.
  public func ownEntries() throws(StorageError) -> [ScannedEntry] {
    var entries = [ScannedEntry(bytes: Array(".".utf8), identity: try directory.file.identity())]
    let thumbnails = "\(RelativePath.root)/\(RelativePath.thumbnails)"
    for name in [
      Layout.marker, Layout.lock, Layout.catalog, RelativePath.root, thumbnails, Layout.staging,
      Layout.trash, Layout.quarantine,
    ] {
      // Behind a link are another folder's: the link itself is a finding.
      if name == thumbnails, entries.last?.kind != .directory { continue }
      guard let identity = try SystemCalls.identity(of: directory.place(name)) else { continue }
      entries.append(ScannedEntry(bytes: Array(name.utf8), identity: identity))
    }
    return entries
  }

  /// What lies in `.staging` and `.trash`; nothing is changed.
  ///
  /// A staging folder that is being made at this instant may seem dead, unless the caller holds
  /// the writer lock.
  ///
  /// - Throws: ``StorageError`` when a folder cannot be read.
  public func leftovers() throws(StorageError) -> Leftovers {
    Leftovers(staging: try leftovers(in: Layout.staging), trash: try leftovers(in: Layout.trash))
  }

  private func leftovers(in name: String) throws(StorageError) -> [Leftovers.Entry] {
    guard let folder = try directory.existing(name) else { return [] }
    var leftovers: [Leftovers.Entry] = []
    for entry in try folder.entries() {
      let name = String(decoding: entry.name, as: UTF8.self)
      leftovers.append(.init(name: name, isAtWork: try isAtWork(entry, in: folder)))
    }
    return leftovers
  }

  /// Whether a recording may be what another computer is about to publish, or has published without
  /// its row having come here.
  ///
  /// - Parameter id: The recording.
  /// - Throws: ``StorageError`` when a folder cannot be read.
  public func isOfOtherComputer(_ id: RecordingID) throws(StorageError) -> Bool {
    guard let staging = try directory.existing(Layout.staging) else { return false }
    for name in try staging.entries().compactMap(WorkName.init) {
      guard let work = try Work(name, in: staging, machine: machine, shared: true),
        try work.isOthersAtWork(at: .now)
      else { continue }
      if name.id == id { return true }
      if try work.lines().contains(id.uuidString) { return true }
    }
    return false
  }

  func isAtWork(_ entry: DirectoryEntry, in parent: Directory) throws(StorageError) -> Bool {
    guard let name = WorkName(entry),
      let work = try Work(name, in: parent, machine: machine, shared: true)
    else { return false }
    if work.standing == .living { return true }
    return try work.isOthersAtWork(at: .now)
  }
}
