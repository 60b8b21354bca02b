package import Foundation
import Glibc
package import HoldfastModel

/// The contents of `holdfast.json`: that this folder is a library, its format, and its identity.
package struct LibraryMarker: Codable, Hashable, Sendable {
  package static let currentFormat = 1

  package var formatVersion: Int
  /// The library's identity, which its catalog repeats.
  package var uuid: UUID
  /// Whether the owner makes sure that only one computer writes at a time. `nil` means no.
  package var sharedDisk: Bool?
  /// The folder to which the library is backed up; `nil` if none was noted. A backup's copy of the
  /// marker does not have it.
  package var backupFolder: String?

  package init(
    formatVersion: Int = Self.currentFormat, uuid: UUID, sharedDisk: Bool? = nil
  ) {
    self.formatVersion = formatVersion
    self.uuid = uuid
    self.sharedDisk = sharedDisk
  }
}

extension LibraryMarker {
  /// The fields of markers of all formats, including future ones. A file without them is not a
  /// marker.
  private struct Identification: Decodable {
    var formatVersion: Int
    var uuid: UUID
  }

  /// The longest marker, in bytes. A marker has some 80 bytes, and a longer file is not one.
  static let sizeLimit = 4096

  /// Whether a folder is a library's, even if its marker is damaged or cannot be read.
  static func marks(_ directory: Directory) -> Bool {
    do throws(HoldfastError) { return try read(in: directory) != nil } catch { return true }
  }

  /// Reads a library's marker, or returns `nil` if there is none.
  ///
  /// Other programs and people use the name `holdfast.json` too. A file that is not a marker counts
  /// as a damaged marker only if something else shows that the folder is a library.
  static func read(in directory: Directory) throws(HoldfastError) -> LibraryMarker? {
    do throws(HoldfastError) {
      guard let file = try directory.existingFile(Layout.marker, O_RDONLY) else { return nil }
      var buffer = [UInt8](repeating: 0, count: sizeLimit)
      let bytes = Data(buffer[..<(try SystemCalls.read(file, into: &buffer, at: 0))])
      return try LibraryMarker(json: bytes, path: file.path)
    } catch let error where error.code != .newerFormat {
      guard try directory.hasPartsOfLibrary() else { return nil }
      throw error
    }
  }

  package init(json bytes: Data, path: String) throws(HoldfastError) {
    guard let known = try? JSONDecoder().decode(Identification.self, from: bytes),
      known.formatVersion >= 1
    else { throw HoldfastError(.notALibrary, operation: "read", path: path) }
    guard known.formatVersion <= Self.currentFormat else {
      throw HoldfastError(.newerFormat, operation: "read", path: path)
    }
    guard let marker = try? JSONDecoder().decode(LibraryMarker.self, from: bytes) else {
      throw HoldfastError(.notALibrary, operation: "read", path: path)
    }
    self = marker
  }

  package func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Writes the marker. A crash leaves all of it or nothing, or the old one if it replaces one.
  func write(in directory: Directory, replacing replaces: Bool = false) throws {
    let bytes = try json()
    try directory.remove(Layout.newMarker)
    let file = try directory.makeFile(Layout.newMarker)
    do {
      try file.write(ArraySlice(bytes))
      try SystemCalls.sync(file)
      let (new, final) = (directory.place(Layout.newMarker), directory.place(Layout.marker))
      if replaces {
        try SystemCalls.rename(new, replacing: final)
      } else {
        try SystemCalls.rename(new, to: final)
      }
    } catch {
      try? directory.remove(Layout.newMarker)
      throw error
    }
    try directory.sync()
  }
}

extension LibraryTree {
  /// Returns the folder to which the library is backed up, as the marker has it now.
  package func backupFolder() throws(HoldfastError) -> String? {
    try LibraryMarker.read(in: directory)?.backupFolder
  }

  /// Notes in the marker to which folder the library is backed up.
  ///
  /// A path too long for a marker is not noted, and removes the present one. After an error the
  /// marker is unchanged, unless only the sync of its folder failed.
  package func setBackupFolder(_ path: String?, under lock: borrowing WriterLock) throws {
    var marker = try LibraryMarker.read(in: directory) ?? marker
    let present = marker.backupFolder
    marker.backupFolder = path
    if try marker.json().count > LibraryMarker.sizeLimit { marker.backupFolder = nil }
    guard marker.backupFolder != present else { return }
    try marker.write(in: directory, replacing: true)
  }

  /// Records in the marker that only one computer at a time will write to the library, and returns
  /// whether that changed it. After an error it is unchanged, unless only the sync of its folder
  /// failed.
  package func allowSharedDisk(under lock: borrowing WriterLock) throws -> Bool {
    var marker = try LibraryMarker.read(in: directory) ?? marker
    if marker.sharedDisk == true { return false }
    marker.sharedDisk = true
    try marker.write(in: directory, replacing: true)
    return true
  }
}

extension Directory {
  /// Whether the folder has something, apart from the marker, that only a library has.
  fileprivate func hasPartsOfLibrary() throws(HoldfastError) -> Bool {
    if try SystemCalls.identity(of: place(Layout.catalog)) != nil { return true }
    return try SystemCalls.identity(of: place(Layout.staging))?.kind == .directory
  }
}
