import ArgumentParser
package import Foundation
package import Holdfast

/// The photos that a new record is written with.
package struct NewFiles<Record: ShownRecord>: Sendable {
  let paths: [String]
  let insert: @Sendable (any RecordDatabase, Record, NewPhotos) throws -> Void

  /// - Parameters:
  ///   - paths: The files.
  ///   - insert: Writes the rows of the photos, in one transaction with the record.
  package init(
    _ paths: [String] = [],
    insert: @escaping @Sendable (any RecordDatabase, Record, NewPhotos) throws -> Void
  ) {
    (self.paths, self.insert) = (paths, insert)
  }
}

/// The options that give a new record the recording that goes with it. Its kind must have a link to
/// a recording.
package struct VoiceOptions<Record: ShownRecord>: ParsableArguments {
  @Option(help: Record.recordingHelp)
  var recording: String?

  @OptionGroup var voice: RecordOptions

  package init() {}

  package func validate() throws {
    if recording != nil, voice.record != nil {
      throw ValidationError("Give only one of --recording and --record.")
    }
  }

  /// Adds a record with its recording, and prints it. If the recording is imported for it, both are
  /// added, or neither.
  ///
  /// - Parameters:
  ///   - common: The options that name the library.
  ///   - done: What was done, as one word.
  ///   - now: The time.
  ///   - files: The record's photos. They are read before anything is written. If a recording is
  ///     imported, they are added after it.
  ///   - write: Writes the record, in one transaction with everything that goes with it.
  package func add(
    using common: CommonOptions, done: String, now: Date,
    with files: NewFiles<Record> = NewFiles { _, _, _ in },
    writing write: @escaping RecordWriter<Record>,
    make: @escaping @Sendable (Library) throws -> Record
  ) async throws {
    var added: Record
    if let file = voice.record {
      let (record, recording) = try await voice.importing { options, engine in
        let library = try common.openLibrary(for: .writing, Record.self, engine: engine)
        let record = try make(library)
        // Before a second of work on the file.
        try record.validate()
        let photos = try await library.preparePhotos(files.paths)
        let recording = try await library.importRecording(file, options: options) { db, recording in
          try write(db, record.linked(to: recording))
        }
        if !photos.photos.isEmpty {
          try library.write(publishing: photos) { db in try files.insert(db, record, photos) }
        }
        return (record, recording)
      }
      common.console.note(recording)
      added = record.linked(to: recording.id)
    } else if !files.paths.isEmpty {
      let recording = recording
      added = try await voice.engine.interruptibly { engine in
        let library = try common.openLibrary(for: .writing, Record.self, engine: engine)
        var record = try make(library)
        if let recording = try library.recordingID(recording) {
          record = record.linked(to: recording)
        }
        let photos = try await library.preparePhotos(files.paths)
        try library.write(publishing: photos) { [record] db in
          try write(db, record)
          try files.insert(db, record, photos)
        }
        return record
      }
    } else {
      let library = try common.openLibrary(for: .writing, Record.self)
      added = try make(library)
      if let recording = try library.recordingID(recording) {
        added = added.linked(to: recording)
      }
      try library.write { [added] db in try write(db, added) }
    }
    common.console.warnIfOld(added, now: now)
    try common.console.show(added, done)
  }
}

extension ShownRecord {
  fileprivate func linked(to recording: RecordingID) -> Self {
    var record = self
    if let path = Self.declaration.link?.path { record[keyPath: path] = recording }
    return record
  }
}
