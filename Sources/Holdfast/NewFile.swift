internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastStorage

// STAND-IN: `NewFile` and `NewFolder` belong to HoldfastStorage, whose system calls are in one file.
// This file goes when they are there; it has the part of their interface that the export uses.

/// A private file outside of the library that takes its name when it is whole, and is removed when
/// it is not.
final class NewFile {
  private let path: String
  private let hidden: String
  private let file: FileHandle
  private var isOpen = true

  convenience init(at path: SourcePath) throws {
    let text = String(decoding: path.bytes, as: UTF8.self)
    guard !text.isEmpty, !text.hasSuffix("/") else {
      throw StorageError(.notAFile, "make", path: text)
    }
    try Self.refuseLibrary(above: text)
    try self.init(text)
  }

  init(_ path: String) throws {
    var status = stat()
    guard unsafe lstat(path, &status) != 0 else {
      throw StorageError(.exists, "make", path: path, errno: EEXIST)
    }
    let parent = NewFile.parent(of: path)
    let hidden = "\(parent)/.holdfast-\(UUID().uuidString)"
    let descriptor = unsafe open(hidden, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else {
      throw StorageError(.system, "make", path: path, errno: errno)
    }
    _ = fchmod(descriptor, 0o600)
    self.path = path
    self.hidden = hidden
    file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }

  deinit {
    if isOpen { _ = unsafe unlink(hidden) }
  }

  func write(_ bytes: ArraySlice<UInt8>) throws {
    do {
      try file.write(contentsOf: Data(bytes))
    } catch {
      throw StorageError(.system, "write", path: path, errno: errno)
    }
  }

  func commit() throws {
    guard fsync(file.fileDescriptor) == 0 else {
      throw StorageError(.system, "sync", path: path, errno: errno)
    }
    // A link is made where nothing is, or not at all.
    guard unsafe link(hidden, path) == 0 else {
      throw StorageError(errno == EEXIST ? .exists : .system, "make", path: path, errno: errno)
    }
    _ = unsafe unlink(hidden)
    isOpen = false
    let folder = unsafe open(NewFile.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if folder >= 0 {
      _ = fsync(folder)
      _ = close(folder)
    }
  }

  static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  static func refuseLibrary(above path: String) throws {
    guard !SourcePath(parent(of: path)).isInsideLibrary else {
      throw LibraryError(
        .insideLibrary,
        "\(path.escapedForDisplay): lies in a library, which keeps nothing but its own files; "
          + "name another place")
    }
  }
}

/// A private folder outside of the library: new, or an empty one as it is.
final class NewFolder {
  private let path: String
  private let isOurs: Bool

  init(at path: SourcePath) throws {
    var text = String(decoding: path.bytes, as: UTF8.self)
    while text.count > 1, text.hasSuffix("/") { text.removeLast() }
    try NewFile.refuseLibrary(above: "\(text)/x")
    try NewFile.refuseLibrary(above: text)
    isOurs = unsafe mkdir(text, 0o700) == 0
    if !isOurs {
      let number = errno
      guard number == EEXIST else {
        throw StorageError(.system, "make", path: text, errno: number)
      }
      let isEmpty = try? FileManager.default.contentsOfDirectory(atPath: text).isEmpty
      guard isEmpty == true else {
        throw LibraryError(
          .notEmpty,
          "\(text.escapedForDisplay): neither new nor an empty folder; name one that is")
      }
    }
    self.path = text
  }

  deinit {
    // Only if it is empty.
    if isOurs { _ = unsafe rmdir(path) }
  }

  func makeFile(named name: String) throws -> NewFile { try NewFile("\(path)/\(name)") }
}

extension LibraryError.Code {
  fileprivate static let notEmpty = LibraryError.Code(rawValue: "notEmpty")
}
