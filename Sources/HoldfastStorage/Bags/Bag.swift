package import Foundation
import Glibc
package import HoldfastModel

/// A backup: a whole BagIt bag with a library in its folder `data`.
///
/// A bag is untrusted, as a media file is: no link in it is followed, and every figure is checked.
///
/// - SeeAlso: RFC 8493
package struct Bag: Sendable {
  /// The folder's name, which begins with when the bag was made.
  package let name: String
  package let info: BagInfo
  package let path: String
  /// The folder that the bag is in. Many bags would hold too many descriptors of their own.
  private let parent: Directory?

  package static let payload = "data"
  package static let export = "data/export.json"
  package static let catalog = "data/\(Layout.catalog)"
  package static let marker = "data/\(Layout.marker)"
  static let declaration = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
  package static let declarationName = "bagit.txt"
  package static let infoName = "bag-info.txt"
  static let manifestName = "manifest-sha256.txt"
  static let tagManifestName = "tagmanifest-sha256.txt"
  /// `nil` if it is not one of Holdfast's bags. Without `parent`, the bag is opened again by its
  /// path.
  init?(_ directory: Directory, name: String, in parent: Directory?) {
    guard let declaration = Self.tag(Self.declarationName, in: directory),
      declaration.hasPrefix("BagIt-Version:"),
      let text = Self.tag(Self.infoName, in: directory), let info = BagInfo(text: text)
    else { return nil }
    self.parent = parent
    path = directory.file.path
    self.name = name
    self.info = info
  }

  private static func tag(_ name: String, in directory: Directory) -> String? {
    try? directory.existingFile(name, O_RDONLY)?.text()
  }

  package static func open(at path: SourcePath) throws(HoldfastError) -> Bag {
    let file = try SystemCalls.open(DirectoryRelativePath(path.bytes), O_RDONLY | O_DIRECTORY)
    guard let bag = Bag(Directory(file: file), name: path.withoutSlashAtEnd.name, in: nil) else {
      throw HoldfastError(.noBag, operation: "open", path: file.path)
    }
    return bag
  }

  /// Returns the path of the bag whose data is this folder; any other path as it is.
  ///
  /// The data of a bag is a library's folder. A command that gets its path uses the bag.
  package static func path(ofBagWithData path: SourcePath) -> SourcePath {
    guard
      let folder = try? SystemCalls.open(DirectoryRelativePath(path.bytes), O_RDONLY | O_DIRECTORY),
      let bag = Bag(ofData: Directory(file: folder))
    else { return path }
    return SourcePath(bag.path)
  }

  /// `nil` unless the folder is the data of a bag.
  init?(ofData data: Directory) {
    // The folder above is opened only if it has a bag's declaration.
    guard
      let declaration = try? SystemCalls.identity(of: data.place("../\(Self.declarationName)")),
      declaration.kind == .regular,
      let folder = try? SystemCalls.open(data.place(".."), O_RDONLY | O_DIRECTORY),
      let payload = try? SystemCalls.identity(of: DirectoryRelativePath(in: folder, Self.payload)),
      let own = try? data.file.identity(), own.isSameFile(as: payload)
    else { return nil }
    let path = SystemCalls.realPath(DirectoryRelativePath(folder.path)) ?? Array(folder.path.utf8)
    let named = try? SystemCalls.open(DirectoryRelativePath(path), O_RDONLY | O_DIRECTORY)
    self.init(Directory(file: named ?? folder), name: SourcePath(bytes: path).name, in: nil)
  }

  /// Whether a folder is to be left alone as a bag: it has a payload and a file that describes one,
  /// even if that file is damaged.
  private static func isMarked(_ place: (String) -> DirectoryRelativePath) -> Bool {
    func has(_ name: String) -> Bool {
      (try? SystemCalls.identity(of: place(name), followingLinks: false)) ?? nil != nil
    }
    return has(payload)
      && [declarationName, infoName, manifestName, tagManifestName].contains(where: has)
  }

  /// Whether a folder is the data of a bag, even of a damaged one. The folder above is not opened.
  static func isData(_ data: Directory) -> Bool {
    guard let payload = try? SystemCalls.identity(of: data.place("../\(Self.payload)")),
      let own = try? data.file.identity(), own.isSameFile(as: payload)
    else { return false }
    return isMarked { data.place("../\($0)") }
  }

  /// Whether a path is that of a bag, or in one.
  static func contains(_ path: SourcePath) -> Bool {
    guard
      var folder = try? SystemCalls.open(
        DirectoryRelativePath(path.bytes.isEmpty ? [0x2E] : path.bytes), O_RDONLY | O_DIRECTORY)
    else { return false }
    var identity = try? folder.identity()
    while true {
      if isMarked({ DirectoryRelativePath(in: folder, $0) }) { return true }
      guard
        let parent = try? SystemCalls.open(
          DirectoryRelativePath(in: folder, ".."), O_RDONLY | O_DIRECTORY),
        let above = try? parent.identity(), let here = identity, !above.isSameFile(as: here)
      else { return false }
      (folder, identity) = (parent, above)
    }
  }

  /// Whether the name has Holdfast's form: a person may have given a copy another name.
  package var hasOwnName: Bool { BagWriter.isName(name[...]) }

  /// When Holdfast made a bag with this name, and the bag's number within that second; `nil` for
  /// other names.
  package static func moment(ofName name: String) -> (date: Date, number: Int)? {
    guard let parts = name.wholeMatch(of: /(\d{4}-\d\d-\d\d)-(\d\d)(\d\d)(\d\d)Z(?:-(\d+))?/),
      let date = JSONFormat.date("\(parts.1)T\(parts.2):\(parts.3):\(parts.4).000Z")
    else { return nil }
    return (date, parts.5.flatMap { Int($0) } ?? 1)
  }

  /// Whether the bag's date is so far after `now` that a clock must have been wrong.
  func isOfFuture(_ now: Date) -> Bool { Self.isOfFuture(info.moment, now) }

  package static func isOfFuture(_ moment: Date, _ now: Date) -> Bool {
    moment.timeIntervalSince(now) > 10 * 60
  }

  /// Whether a folder beside a bag's holds an update of it that was interrupted, or is under way.
  package static func hasUpdate(at path: SourcePath) -> Bool {
    let name = path.withoutSlashAtEnd.bytes + Array(BagUpdate.suffix.utf8)
    return (try? SystemCalls.identity(of: DirectoryRelativePath(name), followingLinks: false))
      ?? nil != nil
  }

  func directory() throws(HoldfastError) -> Directory {
    if let parent, let directory = try parent.existing(name) { return directory }
    return Directory(
      file: try SystemCalls.open(DirectoryRelativePath(Array(path.utf8)), O_RDONLY | O_DIRECTORY))
  }

  /// Reads the list of the bag's files, after comparing it with its own hash.
  ///
  /// - Parameter trustsDescription: Whether the files that describe the bag may have changed. The
  ///   list may not.
  /// - Throws: `HoldfastError`: `damagedBag`, or a system error.
  package func manifest(
    trustingDescription trustsDescription: Bool = false
  ) throws(HoldfastError) -> BagManifest {
    let directory = try checkedFolder(trustingDescription: trustsDescription)
    let manifest = try readManifest(
      Self.manifestName, in: directory, atMost: ReadLimit.manifest)
    if let other = manifest.path(outside: Self.payload) {
      throw damage("\(Self.manifestName) names \(String(decoding: other, as: UTF8.self))")
    }
    return manifest
  }

  /// Compares the list of the bag's files with its own hash, and returns the bag's folder.
  @discardableResult
  func checkedFolder(
    trustingDescription trustsDescription: Bool = false
  ) throws(HoldfastError) -> Directory {
    let directory = try directory()
    let tags = try readManifest(Self.tagManifestName, in: directory, atMost: ReadLimit.text)
    let description = trustsDescription ? [] : [Self.declarationName, Self.infoName]
    for name in description + [Self.manifestName] {
      guard let hash = try tags.hash(of: name.utf8) else {
        throw damage("\(Self.tagManifestName) does not name \(name)")
      }
      guard let file = try directory.existingFile(name, O_RDONLY) else {
        throw damage("\(name) is missing")
      }
      try file.refuseIfLarger(
        than: name == Self.manifestName ? ReadLimit.manifest : ReadLimit.text)
      guard try file.sha256() == hash else { throw damage("\(name) has changed") }
    }
    return directory
  }

  /// Compares the list of the bag's files with its own hash, without reading the files.
  package func checkList() throws(HoldfastError) { try checkedFolder() }

  private func readManifest(
    _ name: String, in directory: Directory, atMost limit: Int64
  ) throws(HoldfastError) -> BagManifest {
    guard let file = try directory.existingFile(name, O_RDONLY) else {
      throw damage("\(name) is missing")
    }
    try file.refuseIfLarger(than: limit)
    return try BagManifest(file)
  }

  private func damage(_ detail: String) -> HoldfastError {
    HoldfastError(.damagedBag, operation: "read", path: path, detail: detail)
  }

  /// Opens one of the bag's files for reading, by its path in the bag, through no symbolic link.
  ///
  /// - Throws: `HoldfastError`: `missing`, `notAFile`, `tooLarge` for a file of more bytes than
  ///   the bag says it has, or a system error.
  package func open(_ path: String) throws(HoldfastError) -> OpenFile {
    let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY
    let file = try SystemCalls.openBeneath(try directory().place(path), flags)
    guard try file.identity().kind == .regular else {
      throw HoldfastError(.notAFile, operation: "open", path: file.path)
    }
    try file.refuseIfLarger(than: max(info.bytes, ReadLimit.recording))
    return file
  }

  /// Sets when a file last changed, in nanoseconds since 1970, if the filesystem can.
  package func setTime(_ time: Int64, of path: String) {
    guard let file = try? open(path) else { return }
    try? SystemCalls.setModificationTime(time, of: file)
  }

  /// Returns whether a journal is beside the catalog, which no backup has.
  package func hasJournal() throws(HoldfastError) -> Bool {
    try files().hasJournal(beside: Self.catalog)
  }

  /// Visits each thing in the bag's folder `data` that is not a folder.
  ///
  /// - Parameter visit: Takes a path relative to the bag's folder, with bytes that are not UTF-8
  ///   replaced, and whether a manifest could name it.
  package func forEachFile(
    _ visit: (_ path: String, _ isNameable: Bool) throws -> Void,
    orFail fail: (HoldfastError) throws -> Void
  ) throws {
    let data: Directory?
    do throws(HoldfastError) { data = try directory().existing(Self.payload) } catch {
      return try fail(error)
    }
    try data?.forEachFile(under: Self.payload) { path, _ in
      let text = String(decoding: path, as: UTF8.self)
      try visit(text, Array(text.utf8) == path)
    } orFail: { _, error in
      try fail(error)
    }
  }
}

extension Directory {
  /// Visits each thing in this folder and in the folders in it that is not a folder. Each path
  /// begins with `prefix`.
  func forEachFile(
    under prefix: String, _ visit: ([UInt8], FileIdentity) throws -> Void,
    orFail fail: ([UInt8], HoldfastError) throws -> Void
  ) throws {
    let prefix = Array(prefix.utf8)
    // Paths and not folders, which would hold too many descriptors.
    var pending: [[UInt8]] = [[]]
    while let path = pending.popLast() {
      let folderPath = path.isEmpty ? prefix : prefix + [Layout.slash] + path
      let folder: Directory
      do throws(HoldfastError) {
        folder =
          path.isEmpty
          ? self
          : Directory(
            file: try SystemCalls.openBeneath(
              DirectoryRelativePath(in: file, path), O_RDONLY | O_DIRECTORY))
      } catch {
        try fail(folderPath, error)
        continue
      }
      try folder.forEachEntry { entry in
        let found: FileIdentity?
        do throws(HoldfastError) {
          found = try SystemCalls.identity(of: DirectoryRelativePath(in: folder.file, entry.name))
        } catch {
          return try fail(folderPath + [Layout.slash] + entry.name, error)
        }
        guard let identity = found else { return }
        if identity.kind == .directory {
          pending.append(path.isEmpty ? entry.name : path + [Layout.slash] + entry.name)
        } else {
          try visit(folderPath + [Layout.slash] + entry.name, identity)
        }
      } orFail: {
        try fail(folderPath, $0)
      }
    }
  }
}
