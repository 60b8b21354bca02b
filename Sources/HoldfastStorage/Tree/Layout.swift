import Foundation
import HoldfastModel

/// The names that make up a library's folder.
enum Layout {
  static let marker = "holdfast.json"
  /// The new marker, which is completed before it gets its name.
  static let newMarker = ".holdfast.json.new"
  static let lock = ".lock"
  static let catalog = "catalog.sqlite"
  static let catalogJournal = "catalog.sqlite-journal"
  /// The suffixes of the files that SQLite may keep beside a database.
  static let catalogSuffixes = ["-journal", "-wal", "-shm"]
  static let thumbnails = "\(RelativePath.root)/\(RelativePath.thumbnails)"
  static let photos = "\(RelativePath.root)/\(RelativePath.photos)"
  static let staging = ".staging"
  static let trash = ".trash"
  static let quarantine = ".quarantine"
  static let cache = ".cache"
  /// The file that says why each thing in a quarantine was moved there.
  static let quarantineNotes = "notes.txt"
  static let slash = UInt8(ascii: "/")
  /// The folder in a folder of staging to which a program that is not Holdfast's writes.
  static let programFolder = "program"
  /// The lock in a folder of staging or trash, held as long as its operation lives. It names the
  /// owner, and lists what may be published from there.
  static let workLock = "lock"
}

extension RelativePath {
  /// The paths that the files of a recording or a photo can have.
  static func all(of id: UUID) -> [RelativePath] {
    RecordingType.allCases.map { .media($0, id: id) } + [.thumbnail(id: id), .photo(id: id)]
  }
}
