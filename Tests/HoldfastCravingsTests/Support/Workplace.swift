import Foundation
import Holdfast
import HoldfastCatalog
import HoldfastCravings
import HoldfastTestSupport

/// The library in the test's folder, made if needed.
func openLibrary(
  _ name: String = "library", for access: Library.Access = .writing
) throws -> Library {
  let location = LibraryLocation(path: "\(TemporaryFolder.current)/\(name)")
  try Library.create(at: location)
  return try Library.open(at: location, for: access, journals: [.cravings])
}

extension Library {
  var catalogPath: String { "\(path)/catalog.sqlite" }

  /// Inserts rows of recordings, with files that are not media.
  func insert(_ recordings: [Recording]) throws {
    try Catalog(path: catalogPath, access: .writing).recordings.insert(recordings)
    for recording in recordings {
      try Data("a file".utf8).write(to: URL(filePath: "\(path)/\(recording.filePath)"))
    }
  }

  /// Inserts records unchanged in one transaction.
  func insert<Value: JournalRecord>(_ records: [Value]) throws {
    try write { db in
      for record in records { try db.insert(record) }
    }
  }
}
