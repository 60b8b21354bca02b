internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The options that give a new record the recording that goes with it.
struct VoiceOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The recording that goes with it: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var recording: String?

  @OptionGroup var voice: RecordOptions

  func validate() throws {
    if recording != nil, voice.record != nil {
      throw ValidationError("Give only one of --recording and --record.")
    }
  }

  /// Adds a record with its recording, and returns it as it was added.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - common: The options that name the library.
  ///   - add: Adds the record to the journal. `nil` instead of a file means that it names its
  ///     recording already.
  func adding<Record: ShownRecord>(
    _ record: Record, _ common: CommonOptions,
    _ add:
      @escaping @Sendable (FaithJournal, Record, (file: String, options: ImportOptions)?)
      async throws -> ImportedRecording?
  ) async throws -> Record {
    guard let file = voice.record else {
      let library = try common.openLibrary(for: .writing, .faith)
      var record = record
      if let recording, let path = Record.declaration.link?.path {
        record[keyPath: path] = try library.recording(idPrefix: recording).id
      }
      _ = try await add(library.faith, record, nil)
      return record
    }
    let (added, recording) = try await voice.importing { [record] options, engine in
      let faith = try common.openLibrary(for: .writing, .faith, engine: engine).faith
      let recording = try await add(faith, record, (file, options))
      var added = record
      if let path = Record.declaration.link?.path { added[keyPath: path] = recording?.id }
      return (added, recording)
    }
    if let recording { common.console.note(recording) }
    return added
  }

  /// Adds a record with its recording.
  func add<Record: ShownRecord>(
    _ record: Record, _ common: CommonOptions, now: Date
  ) async throws -> Record {
    try await adding(record, common) { faith, record, source in
      guard let source else {
        try faith.add(record, now: now)
        return nil
      }
      return try await faith.add(
        record, spokenIn: source.file, options: source.options, now: now)
    }
  }
}
