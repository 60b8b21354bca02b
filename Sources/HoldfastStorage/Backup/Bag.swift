internal import Glibc
public import HoldfastModel
internal import HoldfastSupport

/// A backup: a whole BagIt bag with a library in its folder `data`.
///
/// - SeeAlso: RFC 8493
public struct Bag: Sendable {
  /// The folder's name, which begins with when the bag was made.
  public let name: String
  /// What `bag-info.txt` says.
  public let info: BagInfo
  let directory: Directory

  /// The folder of the files that are backed up.
  public static let payload = "data"
  /// The export beside the catalog.
  public static let export = "data/export.json"
  /// The catalog.
  public static let catalog = "data/\(Layout.catalog)"
  /// The library's marker.
  public static let marker = "data/\(Layout.marker)"
  static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
  static let declarationName = "bagit.txt"
  static let infoName = "bag-info.txt"
  static let manifestName = "manifest-sha256.txt"
  static let tagManifestName = "tagmanifest-sha256.txt"

  /// The path of the bag's folder.
  public var path: String { directory.file.path }

  /// Opens the bag in a folder; `nil` if the folder is not a bag of Holdfast's.
  init?(_ directory: Directory, name: String) throws(StorageError) {
    guard let declaration = try directory.existingFile(Self.declarationName, O_RDONLY),
      try declaration.text().hasPrefix("BagIt-Version:"),
      let file = try directory.existingFile(Self.infoName, O_RDONLY),
      let info = BagInfo(text: try file.text())
    else { return nil }
    self.directory = directory
    self.name = name
    self.info = info
  }

  /// Opens the bag at a path.
  ///
  /// - Throws: ``StorageError``: `noBag` if there is none, or a system error.
  public static func open(at path: SourcePath) throws(StorageError) -> Bag {
    let file = try SystemCalls.open(Place(path.bytes), O_RDONLY | O_DIRECTORY)
    guard let bag = try Bag(Directory(file: file), name: path.withoutSlashAtEnd.name) else {
      throw StorageError(.noBag, "open", path: file.path)
    }
    return bag
  }

  /// Reads the list of the bag's files, after comparing it with its own hash.
  ///
  /// - Throws: ``StorageError``: `damagedBag`, or a system error.
  public func manifest() throws(StorageError) -> BagManifest {
    let tags = try readManifest(Self.tagManifestName)
    for name in [Self.declarationName, Self.infoName, Self.manifestName] {
      guard let hash = tags.hashes[name] else {
        throw damage("\(Self.tagManifestName) does not name \(name)")
      }
      guard let file = try directory.existingFile(name, O_RDONLY) else {
        throw damage("\(name) is missing")
      }
      guard try file.sha256() == hash else { throw damage("\(name) has changed") }
    }
    let manifest = try readManifest(Self.manifestName)
    if let other = manifest.hashes.keys.first(where: { !$0.hasPrefix("\(Self.payload)/") }) {
      throw damage("\(Self.manifestName) names \(other)")
    }
    return manifest
  }

  private func readManifest(_ name: String) throws(StorageError) -> BagManifest {
    guard let file = try directory.existingFile(name, O_RDONLY) else {
      throw damage("\(name) is missing")
    }
    return try BagManifest(text: file.text(), path: file.path)
  }

  private func damage(_ detail: String) -> StorageError {
    StorageError(.damagedBag, "read", path: path, detail: detail)
  }

  /// Opens one of the bag's files for reading, through no symbolic link.
  ///
  /// - Parameter path: The path relative to the bag's folder.
  /// - Throws: ``StorageError``: `missing`, `notAFile`, or a system error.
  public func open(_ path: String) throws(StorageError) -> OpenFile {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file = try SystemCalls.openBeneath(directory.place(path), flags)
    guard try file.identity().kind == .regular else {
      throw StorageError(.notAFile, "open", path: file.path)
    }
    return file
  }

  /// Visits each thing in the bag's folder `data` that is not a folder.
  ///
  /// - Parameter visit: Takes a path relative to the bag's folder, with bytes that are not UTF-8
  ///   replaced, and its identity.
  public func forEachFile(
    _ visit: (_ path: String, _ identity: FileIdentity) throws -> Void
  ) throws {
    guard let data = try directory.existing(Self.payload) else { return }
    try data.forEachFile(under: Self.payload) { try visit(String(decoding: $0, as: UTF8.self), $1) }
  }
}

extension Directory {
  /// Visits each thing in this folder and in the folders in it that is not a folder.
  ///
  /// - Parameters:
  ///   - prefix: What begins each path.
  ///   - visit: Takes a path and its identity.
  func forEachFile(
    under prefix: String, _ visit: ([UInt8], FileIdentity) throws -> Void
  ) throws {
    var pending: [(folder: Directory, path: [UInt8])] = [(self, Array(prefix.utf8))]
    while let (folder, path) = pending.popLast() {
      for entry in try folder.entries() {
        let entryPath = path + [Layout.slash] + entry.name
        guard let identity = try SystemCalls.identity(of: Place(in: folder.file, entry.name))
        else { continue }
        if identity.kind == .directory {
          if let inner = try folder.existing(bytes: entry.name) {
            pending.append((inner, entryPath))
          }
        } else {
          try visit(entryPath, identity)
        }
      }
    }
  }
}

extension OpenFile {
  /// Returns the file's SHA-256.
  ///
  /// - Parameter stop: Ends the reading with a `CancellationError`.
  public func sha256(until check: () throws -> Void) throws -> SHA256Digest {
    var hash = SHA256()
    try forEachChunk { bytes in
      try check()
      hash.update(bytes)
    }
    return hash.digest()
  }

  /// Returns the file's SHA-256. For small files.
  func sha256() throws(StorageError) -> SHA256Digest {
    do { return try sha256 {} } catch {
      throw error as? StorageError ?? StorageError(.system, "read", path: path)
    }
  }
}
