public import Foundation
internal import Glibc
public import HoldfastModel

/// One entry in the library, no matter who put it there.
public struct ScannedEntry: Hashable, Sendable, CustomStringConvertible {
  /// The path relative to the library's folder, as the system gives it.
  public let bytes: [UInt8]
  /// The identity of what is there. A symbolic link is not followed.
  public let identity: FileIdentity

  /// The kind of the entry.
  public var kind: FileIdentity.Kind { identity.kind }

  /// The path, if the catalog could hold it.
  public var path: RelativePath? {
    String(validating: bytes, as: UTF8.self).flatMap { RelativePath($0) }
  }

  /// The path for display: escaped, with bytes that are not UTF-8 replaced.
  public var description: String { SourcePath(bytes: bytes).description }
}

/// What unfinished operations have left, or are still using.
public struct Leftovers: Hashable, Sendable {
  /// A name in `.staging` or `.trash`.
  public struct Entry: Hashable, Sendable {
    /// The name, not escaped for display. Bytes that are not UTF-8 are replaced.
    public var name: String
    /// Whether somebody is or may be at work in it. Another computer may be, if it is less than a
    /// day old.
    public var isAtWork: Bool
  }

  /// What is in `.staging`.
  public var staging: [Entry] = []
  /// What is in `.trash`.
  public var trash: [Entry] = []

  /// Whether anything is left over from an operation that is no longer at work.
  public var isAnythingDead: Bool { (staging + trash).contains { !$0.isAtWork } }
  /// The first folder in which somebody is or may be at work, relative to the library's folder.
  public var folderAtWork: String? {
    let names =
      staging.filter(\.isAtWork).map { "\(Layout.staging)/\($0.name)" }
      + trash.filter(\.isAtWork).map { "\(Layout.trash)/\($0.name)" }
    return names.first
  }
}

extension LibraryTree {
  /// Visits every name in `Recordings/` and `Recordings/Thumbnails/`: in the order of the names'
  /// bytes, or in parts that are in it.
  ///
  /// Other folders in them are visited but not entered.
  ///
  /// - Parameters:
  ///   - visit: Takes one entry.
  ///   - fail: Takes the error for an entry that cannot be examined.
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
    try folder.forEachEntry { entry in
      let found: FileIdentity?
      do throws(StorageError) {
        found = try SystemCalls.identity(of: Place(in: folder.file, entry.name))
      } catch {
        return try fail(error)
      }
      // It disappeared after it was listed.
      guard let identity = found else { return }
      try visit(ScannedEntry(bytes: Array(prefix.utf8) + entry.name, identity: identity))
    }
  }

  /// Returns the library's own folder, and the folders and files that every library has, if they
  /// exist.
  ///
  /// - Throws: ``StorageError`` when one cannot be examined.
  public func ownEntries() throws(StorageError) -> [ScannedEntry] {
    var entries = [ScannedEntry(bytes: Array(".".utf8), identity: try directory.file.identity())]
    let thumbnails = "\(RelativePath.root)/\(RelativePath.thumbnails)"
    for name in [
      Layout.marker, Layout.lock, Layout.catalog, RelativePath.root, thumbnails, Layout.staging,
      Layout.trash, Layout.quarantine, Layout.cache,
    ] {
      // Behind a link would be another folder's thumbnails. The link itself is a finding.
      if name == thumbnails, entries.last?.kind != .directory { continue }
      guard let identity = try SystemCalls.identity(of: directory.place(name)) else { continue }
      entries.append(ScannedEntry(bytes: Array(name.utf8), identity: identity))
    }
    return entries
  }

  /// Returns what is in `.staging` and `.trash`. Nothing is changed.
  ///
  /// Unless the caller holds the writer lock, a staging folder that is being made at this moment
  /// may look as if nobody were at work in it.
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

  /// Whether another computer may be about to publish a recording, or has published it although
  /// this computer does not see its row yet.
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
