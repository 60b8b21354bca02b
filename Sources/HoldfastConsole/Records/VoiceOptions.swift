internal import ArgumentParser
package import Foundation
internal import Holdfast
internal import HoldfastModel

/// The options that give a new record the recording that goes with it.
package struct VoiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recording that goes with it: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var recording: String?

  @OptionGroup var voice: RecordOptions

  package init() {}

  package func validate() throws {
    if recording != nil, voice.record != nil {
      throw ValidationError("Give only one of --recording and --record.")
    }
  }

  /// Adds a record with its recording, and prints it. A recording that is imported for it and the
  /// record are added both, or neither.
  ///
  /// - Parameters:
  ///   - record: The record. Its kind must have a link to a recording.
  ///   - common: The options that name the library.
  ///   - done: What was done, as one word.
  ///   - now: The time.
  ///   - moment: When what is recorded happened. A time long ago is noted.
  ///   - write: Writes the record, in one transaction with what goes with it.
  package func add<Record: ShownRecord>(
    _ record: Record, _ common: CommonOptions, _ done: String = "added", now: Date,
    at moment: KeyPath<Record, Date>? = nil, writing write: RecordWriter<Record>? = nil
  ) async throws {
    let write = write ?? { db, record in try db.add(record, now: now) }
    let added =
      if let file = voice.record {
        try await add(record, spokenIn: file, common, write)
      } else {
        try add(record, common, write)
      }
    if let moment { common.console.warnIfOld(added[keyPath: moment], now: now) }
    try common.console.show(added, done)
  }

  private func add<Record: ShownRecord>(
    _ record: Record, _ common: CommonOptions, _ write: RecordWriter<Record>
  ) throws -> Record {
    let library = try common.openLibrary(for: .writing, Record.self)
    var record = record
    if let recording, let path = Record.declaration.link?.path {
      record[keyPath: path] = try library.recording(idPrefix: recording).id
    }
    try library.write { db in try write(db, record) }
    return record
  }

  private func add<Record: ShownRecord>(
    _ record: Record, spokenIn file: String, _ common: CommonOptions,
    _ write: @escaping RecordWriter<Record>
  ) async throws -> Record {
    let recording = try await voice.importing { options, engine in
      let library = try common.openLibrary(for: .writing, Record.self, engine: engine)
      // Before a second of work on the file.
      try record.validate()
      return try await library.importRecording(file, options: options) { db, recording in
        try write(db, record.linked(to: recording))
      }
    }
    common.console.note(recording)
    return record.linked(to: recording.id)
  }
}

extension ShownRecord {
  /// Returns the record with a link to a recording.
  fileprivate func linked(to recording: RecordingID) -> Self {
    var record = self
    if let path = Self.declaration.link?.path { record[keyPath: path] = recording }
    return record
  }
}
