package import Foundation
package import Holdfast
package import HoldfastModel

/// What the commands of all kinds of records do with the library.
extension CommonOptions {
  /// Opens the library for commands on a kind of record.
  ///
  /// - Parameters:
  ///   - access: The purpose for which it is opened.
  ///   - type: The kind. Its journal must be enabled in the library.
  ///   - engine: The engine that reads and makes media files.
  package func openLibrary<Record: ShownRecord>(
    for access: Library.Access, _ type: Record.Type, engine: (any MediaEngine)? = nil
  ) throws -> Library {
    if let journal = Record.journal {
      return try openLibrary(for: access, journal, engine: engine)
    }
    return try access == .writing
      ? openLibraryToWrite(engine: engine) : openLibrary(for: access, engine: engine)
  }

  /// Prints one page of a list.
  ///
  /// - Parameters:
  ///   - page: Which page.
  ///   - fetch: Fetches up to this many records of the page from the library.
  package func list<Record: ShownRecord>(
    _ page: PageOptions, fetch: (Library, Int) throws -> [Record]
  ) throws {
    let library = try openLibrary(for: .reading, Record.self)
    try console.page(page, in: library) { try fetch(library, $0) }
  }

  /// Adds a record, and prints it.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - done: What was done, as one word.
  ///   - now: The time.
  ///   - write: Writes the record, in one transaction with what goes with it.
  package func add<Record: ShownRecord>(
    _ record: Record, _ done: String = "added", now: Date = Date(),
    writing write: RecordWriter<Record>? = nil
  ) throws {
    try openLibrary(for: .writing, Record.self).write { db in
      if let write { try write(db, record) } else { try db.add(record, now: now) }
    }
    try console.show(record, done)
  }

  /// Changes the record that a person named, in one transaction, and prints it.
  ///
  /// - Parameters:
  ///   - argument: Names the record.
  ///   - done: What was done, as one word.
  ///   - time: The option for the time, if it is in `moment`. A time long ago is noted.
  ///   - moment: When what is recorded happened.
  ///   - change: Changes the record. Whatever else it needs has to be read before.
  package func edit<Record: ShownRecord>(
    _ argument: RecordArgument<Record>, _ done: String = "changed", time: TimeOption? = nil,
    of moment: KeyPath<Record, Date>? = nil, _ change: (inout Record) throws -> Void
  ) throws {
    try update(argument, done) { library, before in
      let now = time?.now ?? Date()
      let record = try library.edit(Record.self, id: before.id, now: now, change)
      if time?.at != nil, let moment { console.warnIfOld(record[keyPath: moment], now: now) }
      return record
    }
  }

  /// Does something with the record that a person named, and prints the record that results.
  ///
  /// - Parameters:
  ///   - argument: Names the record.
  ///   - done: What was done, as one word.
  ///   - work: Does it in the library, with the record as it was before.
  package func update<Record: ShownRecord>(
    _ argument: RecordArgument<Record>, _ done: String,
    _ work: (Library, Record) throws -> some ShownRecord
  ) throws {
    let library = try openLibrary(for: .writing, Record.self)
    try console.show(work(library, argument.record(in: library)), done)
  }

  /// Links the record that a person named to a recording, or removes the link, and prints it.
  ///
  /// - Parameters:
  ///   - argument: Names the record.
  ///   - recording: The recording as a person named it; `nil` removes the link.
  ///   - done: What was done, as one word.
  func link<Record: ShownRecord>(
    _ argument: RecordArgument<Record>, to recording: String?, _ done: String
  ) throws {
    let library = try openLibrary(for: .writing, Record.self)
    let recording = try library.recordingID(recording)
    let before = try argument.record(in: library)
    let record = try library.edit(Record.self, id: before.id) {
      if let path = Record.declaration.link?.path { $0[keyPath: path] = recording }
    }
    try console.show(record, done)
  }

  /// Deletes records, and prints each.
  ///
  /// - Parameters:
  ///   - records: The records.
  ///   - isAsking: Whether the person has to confirm it.
  /// - Throws: ``NotConfirmed``, and exit status 3 when a record could not be deleted.
  package func delete<Record: ShownRecord>(_ records: [Record], asking isAsking: Bool) throws {
    if isAsking { try console.confirmDeleting(records, name: \.line) }
    let library = try openLibrary(for: .writing, Record.self)
    try console.deleting(records, from: library, name: \.line) {
      try $0.delete(from: library)
      return []
    }
  }
}

/// Writes a record with what goes with it.
package typealias RecordWriter<Record> = @Sendable (any RecordDatabase, Record) throws -> Void

extension Library {
  /// Returns the recording that a person named; `nil` if none was named.
  package func recordingID(_ prefix: String?) throws -> RecordingID? {
    try prefix.map { try recording(idPrefix: $0).id }
  }
}

extension ShownRecord where ID == UUID {
  package static func named(_ text: String, in library: Library) throws -> Self {
    try library.record(Self.self, idPrefix: text)
  }
}

extension ShownRecord where ID == String {
  package static func named(_ text: String, in library: Library) throws -> Self {
    guard let record = try library.record(Self.self, id: text) else {
      throw LibraryError(
        .noSuchRecord,
        "there is no \(kind.singular) \"\(text.cut(to: 80).escapedForDisplay)\"", record: kind)
    }
    return record
  }
}
