package import Foundation
package import Holdfast

extension CommonOptions {
  /// Opens the library. The journal of the kind must be enabled in it.
  package func openLibrary<Record: ShownRecord>(
    for access: Library.Access, _ type: Record.Type, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    if let journal = Record.journal {
      return try openLibrary(for: access, journal, engine: engine)
    }
    return try openLibrary(for: access, engine: engine)
  }

  /// Deletes records, and prints each.
  ///
  /// - Throws: ``CommandFailure`` without a confirmation, and exit status 3 when a record could not
  ///   be deleted.
  package func delete<Record: ShownRecord>(_ records: [Record], asking isAsking: Bool) throws {
    if isAsking { try console.confirmDeleting(records, name: \.line) }
    let library = try openLibrary(for: .writing, Record.self)
    try console.deleting(records, from: library, name: \.line) {
      try $0.delete(from: library)
      return []
    }
  }
}

package typealias RecordWriter<Record> = @Sendable (any RecordDatabase, Record) throws -> Void

extension Library {
  package func recordingID(_ prefix: String?) throws -> RecordingID? {
    try prefix.map { try recording(idPrefix: $0).id }
  }
}

extension ShownRecord {
  package static func named(_ text: String, in library: Library) throws -> Self where ID == UUID {
    try library.record(Self.self, idPrefix: text)
  }

  package static func named(_ text: String, in library: Library) throws -> Self where ID == String {
    guard let record = try library.record(Self.self, id: text) else {
      throw HoldfastError(
        .noSuchRecord,
        "there is no \(kind.singular) \"\(text.cut(to: 80).escapedForDisplay)\"", record: kind)
    }
    return record
  }
}
