public import Foundation
internal import Glibc

/// What `holdfast.json` says: that this folder is a library, in which format, and which one.
public struct LibraryMarker: Codable, Hashable, Sendable {
  /// The format that this version of Holdfast writes.
  public static let currentFormat = 1

  /// The library's format.
  public var formatVersion: Int
  /// The library's identity, which its catalog repeats.
  public var uuid: UUID

  /// Makes a marker.
  public init(formatVersion: Int = Self.currentFormat, uuid: UUID) {
    self.formatVersion = formatVersion
    self.uuid = uuid
  }
}

extension LibraryMarker {
  /// What is common to the markers of all formats, those to come included.
  private struct Format: Decodable {
    var formatVersion: Int
  }

  /// A marker has some 80 bytes; what is longer than this is none.
  private static let sizeLimit = 4096

  /// Reads a library's marker; `nil` if there is none.
  static func read(in directory: Directory) throws(StorageError) -> LibraryMarker? {
    guard let file = try directory.existingFile(Layout.marker, O_RDONLY) else { return nil }
    var buffer = [UInt8](repeating: 0, count: sizeLimit)
    let bytes = Data(buffer[..<(try SystemCalls.read(file, into: &buffer, at: 0))])
    return try LibraryMarker(json: bytes, path: file.path)
  }

  /// Reads a marker from its file's bytes; `path` is named in errors.
  package init(json bytes: Data, path: String) throws(StorageError) {
    guard let format = try? JSONDecoder().decode(Format.self, from: bytes),
      format.formatVersion >= 1
    else { throw StorageError(.notALibrary, "read", path: path) }
    guard format.formatVersion <= Self.currentFormat else {
      throw StorageError(.newerFormat, "read", path: path)
    }
    guard let marker = try? JSONDecoder().decode(LibraryMarker.self, from: bytes) else {
      throw StorageError(.notALibrary, "read", path: path)
    }
    self = marker
  }

  /// The marker as its file's bytes.
  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Writes the marker so that after a crash it is there whole or not at all.
  func write(in directory: Directory) throws {
    let bytes = try json()
    try directory.remove(Layout.newMarker)
    let file = try directory.makeFile(Layout.newMarker)
    do {
      try file.write(ArraySlice(bytes))
      try SystemCalls.sync(file)
      let (new, final) = (directory.place(Layout.newMarker), directory.place(Layout.marker))
      try SystemCalls.rename(new, to: final)
    } catch {
      try? directory.remove(Layout.newMarker)
      throw error
    }
    try directory.sync()
  }
}
