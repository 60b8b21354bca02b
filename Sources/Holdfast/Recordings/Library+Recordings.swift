public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

extension Library {
  /// Returns the recordings that match a query, in the query's order.
  public func recordings(matching query: RecordingQuery) throws -> [Recording] {
    try catalog.recordings.matching(query, spoken: spoken(for: query))
  }

  /// Returns how many recordings match a query. The query's limit is ignored.
  public func count(matching query: RecordingQuery) throws -> Int {
    var all = query
    all.limit = nil
    return try catalog.recordings.count(matching: query, spoken: spoken(for: all))
  }

  /// Returns the recording whose ID begins with `prefix`.
  ///
  /// - Parameter prefix: The recording's UUID, or at least its first four characters.
  /// - Throws: `HoldfastError` when no recording's ID begins like that, or more than one does.
  public func recording(idPrefix prefix: String) throws -> Recording {
    try only(prefix, of: .recordings, find: catalog.recordings.matching(idPrefix:limit:))
  }

  /// Returns the recordings whose IDs begin with these prefixes, each recording once.
  ///
  /// - SeeAlso: ``recording(idPrefix:)``
  public func recordings(idPrefixes prefixes: [String]) throws -> [Recording] {
    var seen: Set<RecordingID> = []
    return try prefixes.map { try recording(idPrefix: $0) }.filter { seen.insert($0.id).inserted }
  }

  /// Returns what was found when a recording's files were last read.
  public func fileState(of id: RecordingID) throws -> RecordingFileState {
    try found(catalog.files.state(id: id), kind: .recordings, id: id)
  }

  /// Returns what is known, from a verification, to be missing or damaged: a clause such as `2
  /// recordings and 1 photo are known to be missing or damaged`; `nil` for nothing.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func knownFaults() throws -> String? {
    let (recordings, photos) = try catalog.files.faultyCount()
    let parts = [(recordings, "recording"), (photos, "photo")].filter { $0.0 > 0 }
      .map { $0.0.counted($0.1) }
    guard !parts.isEmpty else { return nil }
    let verb = (recordings + photos).noun("is", "are")
    return "\(parts.joined(separator: " and ")) \(verb) known to be missing or damaged"
  }

  /// Returns how recently the recordings' files were verified.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func verificationState() throws -> VerificationState {
    try catalog.files.verificationState()
  }

  /// Returns the recording with this ID, or `nil` if there is none.
  public func recording(id: RecordingID) throws -> Recording? {
    try catalog.recordings.find(id: id)
  }

  /// Returns the one value whose ID begins with `prefix`.
  func only<Value>(
    _ prefix: String, of kind: RecordKind, find: (String, Int) throws -> [Value]
  ) throws -> Value {
    let shown = "\"\(prefix.escapedForDisplay)\""
    guard prefix.count >= 4 else {
      throw HoldfastError(
        .ambiguousID, "\(shown) has less than 4 characters of an id", record: kind)
    }
    let found = try find(prefix, 2)
    guard let value = found.first else {
      throw HoldfastError(
        .noSuchRecord, "no \(kind.singular)'s id begins with \(shown)", record: kind)
    }
    guard found.count == 1 else {
      throw HoldfastError(
        .ambiguousID, "more than one \(kind.singular)'s id begins with \(shown)", record: kind)
    }
    return value
  }

  /// Changes the title, notes or purpose of a recording and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  ///   - change: Changes the recording. When it throws, nothing is written. A blank title and blank
  ///     notes are removed.
  /// - Returns: The changed recording.
  /// - Throws: `HoldfastError` when a value breaks a rule, when anything else of the recording is
  ///   changed, and when the recording is missing; and whatever `change` throws.
  @discardableResult
  public func editRecording(
    id: RecordingID, now: Date = Date(), _ change: (inout Recording) throws -> Void
  ) throws -> Recording {
    try whileEditing {
      let edited = try catalog.recordings.update(id: id) { recording in
        var allowed = recording
        try change(&recording)
        recording.title = recording.title?.nonBlank
        recording.notes = recording.notes?.nonBlank
        allowed.title = recording.title
        allowed.notes = recording.notes
        allowed.purpose = recording.purpose
        guard recording == allowed else {
          throw RuleError("only the title, the notes and the purpose of a recording can be changed")
        }
        try Recording.validate(title: recording.title, notes: recording.notes)
        recording.setEdited(at: now)
      }
      return try found(edited, kind: .recordings, id: id)
    }
  }

  /// Returns the absolute path of a recording's file, for a player.
  ///
  /// - Throws: `HoldfastError` when the file is missing, or is not a regular file.
  public func file(of recording: Recording) throws -> String {
    let status = try tree.status(of: recording.filePath)
    guard case .regular = status else {
      throw HoldfastError(
        .fileMissing,
        "\(path.escapedForDisplay)/\(recording.filePath): the recording's file is missing")
    }
    return "\(tree.path)/\(recording.filePath)"
  }

  /// Counts one more play of a recording.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the play.
  /// - Returns: The number of plays, with this one.
  /// - Throws: `HoldfastError` when the recording is missing.
  @discardableResult
  public func countPlay(id: RecordingID, now: Date = Date()) throws -> Int {
    try whileLocked {
      try found(
        catalog.recordings.countPlay(id: id, now: now, at: tree.place()), kind: .recordings, id: id)
    }
  }
}
