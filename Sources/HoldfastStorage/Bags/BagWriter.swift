import Foundation
import Glibc
package import HoldfastModel
package import HoldfastSupport
import Synchronization

/// A bag that is being written. It is called `.partial` until ``finish(_:)`` has made it whole and
/// durable.
///
/// Where the disk has no hard links, it updates the existing bag: only new files are written, and
/// ``finish(_:)`` moves them into that bag.
///
/// Errors of the target disk are ``WritingFailure``; other errors concern the files that are read.
package final class BagWriter: Sendable {
  private struct State: ~Copyable {
    var list: BagList
    var bytes: Int64 = 0
  }

  package let name: String
  private let parent: Directory
  /// The name of the bag that is updated; `nil` for a new one.
  private let updated: String?
  private let writer: FolderWriter
  private let state: Mutex<State>

  /// The path of the bag's folder until it is complete.
  package var path: String { writer.directory.file.path }

  init(in parent: Directory, moment: Date, updating old: Bag?) throws(HoldfastError) {
    let first = Self.name(moment)
    var name = first
    var number = 1
    func isTaken(_ name: String) throws(HoldfastError) -> Bool {
      try SystemCalls.identity(of: parent.place(name)) != nil
    }
    while true {
      let hasBag = try isTaken(name)
      let hasPart = try isTaken(name + BackupFolder.partial)
      guard hasBag || hasPart else { break }
      number += 1
      name = "\(first)-\(number)"
    }
    let partial = old.map { $0.name + BagUpdate.suffix } ?? name + BackupFolder.partial
    try SystemCalls.makeDirectory(parent.place(partial))
    let directory = try parent.openFolder(partial.utf8)
    self.parent = parent
    self.name = name
    updated = old?.name
    writer = FolderWriter(directory)
    state = Mutex(State(list: BagList(in: directory)))
  }

  /// The name of a bag: when it was made, in UTC, so that names sort like the bags.
  static func name(_ moment: Date) -> String {
    let text = JSONFormat.text(moment)
    return "\(text.prefix(10))-\(text.dropFirst(11).prefix(8).filter { $0 != ":" })Z"
  }

  static func isName(_ text: Substring) -> Bool {
    text.wholeMatch(of: /\d{4}-\d\d-\d\d-\d{6}Z(-\d+)?/) != nil
  }

  /// Replaces the name of an incomplete bag in a path with the name that the bag gets.
  package static func final(_ path: String) -> String {
    path.replacing(/(\d{4}-\d\d-\d\d-\d{6}Z(?:-\d+)?)\.(?:partial|update)/) { $0.1 }
  }

  /// Makes an empty file in the bag, for the caller to fill. Call ``add(_:)`` when it is complete.
  package func makeFile(_ path: String) throws -> OpenFile { try writer.makeFile(path) }

  package func write(_ bytes: some Sequence<UInt8>, to path: String) throws {
    let file = try makeFile(path)
    try writing { () throws(HoldfastError) in try file.write(ArraySlice(bytes)) }
    try add(path)
  }

  /// Hashes a file that ``makeFile(_:)`` made, and lists it.
  package func add(_ path: String) throws {
    try writing { () throws(HoldfastError) in
      let place = writer.directory.place(path)
      let file = try SystemCalls.openBeneath(place, O_RDONLY | O_NOFOLLOW)
      if writer.syncsFiles { try SystemCalls.sync(file) }
      try list(path, try file.sha256(), size: try file.identity().size)
    }
  }

  /// Copies a file into the bag, with its modification time. Returns the number of bytes; `nil` if
  /// `accept` refused their hash: then nothing is kept.
  package func copy(
    _ source: OpenFile, to path: String, until stop: StopFlag,
    if accept: (SHA256Digest) -> Bool = { _ in true }
  ) throws -> Int64? {
    guard let copy = try writer.copy(source, to: path, until: stop, if: accept) else { return nil }
    try writing { () throws(HoldfastError) in try list(path, copy.hash, size: copy.size) }
    return copy.size
  }

  /// Gives a file of the library a second name in this bag, instead of copying it.
  ///
  /// - Parameter number: How many files were pinned before it.
  /// - Returns: `false` if `accept` refused the hash of the bytes.
  /// - Throws: ``WritingFailure``, also where the bag is on another filesystem.
  package func link(
    pinned number: Int, in staging: Staging, to path: String, until stop: StopFlag,
    if accept: (SHA256Digest) -> Bool
  ) throws -> Bool {
    let file = try staging.openPinned(number)
    let hash = try file.sha256(until: stop)
    guard accept(hash) else { return false }
    let size = try file.identity().size
    try writing { () throws(HoldfastError) in
      let (folder, newName) = try writer.place(path)
      let pin = staging.directory.place(Staging.nameOfPin(number))
      try SystemCalls.link(pin, folder.place(newName))
      try list(path, hash, size: size)
    }
    return true
  }

  /// Gives a file of an earlier bag a second name in this one. In an update, the file is there.
  /// Returns `false` if the file is missing, or where the filesystem has no links.
  package func link(
    _ path: String, of files: FolderFiles, hash: SHA256Digest
  ) throws -> Bool {
    try writing { () throws(HoldfastError) in
      guard let old = try files.place(path.utf8),
        let size = try SystemCalls.identity(of: old)?.size
      else { return false }
      if updated == nil {
        let (folder, name) = try writer.place(path)
        do throws(HoldfastError) {
          try SystemCalls.link(old, folder.place(name))
        } catch let error where error.errno == EMLINK || error.lacksHardLinks {
          return false
        }
      }
      try list(path, hash, size: size)
      return true
    }
  }

  /// Completes the bag: writes the files that describe it, waits until all of it is on the disk,
  /// and gives it its name.
  package func finish(_ info: BagInfo) throws {
    try writing { () throws(HoldfastError) in
      let manifest = try writer.directory.makeFile(Bag.manifestName)
      let hash = try state.withLock { state throws(HoldfastError) in
        let (hash, repeated) = try state.list.write(to: manifest)
        for path in repeated { state.bytes -= try size(of: path) }
        return hash
      }
      if writer.syncsFiles { try SystemCalls.sync(manifest) }
      var info = info
      (info.files, info.bytes) = state.withLock { ($0.list.count, $0.bytes) }
      var tags = [ManifestLine(Array(Bag.manifestName.utf8), hash)]
      for (name, text) in [(Bag.declarationName, Bag.declaration), (Bag.infoName, info.text)] {
        tags.append(ManifestLine(Array(name.utf8), SHA256.hash(Array(text.utf8))))
        try writeTag(name, Array(text.utf8))
      }
      try writeTag(Bag.tagManifestName, tags.sorted().flatMap(\.bytes))
      try writer.sync()
      guard let updated else {
        try SystemCalls.rename(parent.place(name + BackupFolder.partial), to: parent.place(name))
        return try parent.sync()
      }
      let update = BagUpdate(parent: parent, folder: writer.directory, name: updated)
      try update.commit(as: name)
      _ = try update.settle()
    }
  }

  private func size(of path: [UInt8]) throws(HoldfastError) -> Int64 {
    if let size = try SystemCalls.identity(
      of: DirectoryRelativePath(in: writer.directory.file, path))?.size
    {
      return size
    }
    let bag = try updated.flatMap { name throws(HoldfastError) in try parent.existing(name) }
    return try bag.flatMap { bag throws(HoldfastError) in
      try SystemCalls.identity(of: DirectoryRelativePath(in: bag.file, path))?.size
    } ?? 0
  }

  /// Whether the bag has a file of just this name, with these bytes; `nil` for any bytes.
  package func has(_ path: String, hash: SHA256Digest?) throws -> Bool {
    try writing { () throws(HoldfastError) in
      let (folder, name) = try writer.place(path)
      // Some disks ignore case.
      guard try !folder.names(among: [Array(name.utf8)]).isEmpty else { return false }
      let file = try SystemCalls.openBeneath(folder.place(name), O_RDONLY | O_NOFOLLOW)
      guard let hash else { return true }
      return try file.sha256() == hash
    }
  }

  /// Removes a file that ``makeFile(_:)`` made, and that does not belong in the bag.
  package func remove(_ path: String) throws { try writer.remove(path) }

  /// Gives up the bag. Its files stay, and can be removed.
  package func close() {
    try? state.withLock { state throws(HoldfastError) in try state.list.close() }
  }

  private func writeTag(_ name: String, _ bytes: [UInt8]) throws(HoldfastError) {
    let file = try writer.directory.makeFile(name)
    try file.write(ArraySlice(bytes))
    if writer.syncsFiles { try SystemCalls.sync(file) }
  }

  private func list(
    _ path: String, _ hash: SHA256Digest, size: Int64
  ) throws(HoldfastError) {
    try state.withLock { state throws(HoldfastError) in
      try state.list.add(path, hash)
      state.bytes += size
    }
  }
}
