public import Foundation
public import HoldfastModel

/// What was said in recordings.
extension Library {
  /// Returns a recording's transcript, or the mark that it is to have none; `nil` if there is
  /// neither.
  public func transcript(of id: RecordingID) throws -> Transcript? {
    try record(Transcript.self, id: id)
  }

  // MARK: Machines' transcripts

  /// Keeps transcripts that machines made, in one transaction.
  ///
  /// A recording that was deleted meanwhile is left out, as is one that has a transcript which may
  /// not be replaced.
  ///
  /// - Parameters:
  ///   - transcripts: The transcripts.
  ///   - replaced: What they may replace.
  ///   - start: When the program began; `nil` if just now. What a person wrote since stays.
  /// - Returns: The recordings whose transcripts were kept.
  /// - Throws: `HoldfastError`, also when a transcript breaks a rule or is a person's. Nothing is
  ///   kept then.
  @discardableResult
  public func keepTranscripts(
    _ transcripts: [Transcript], replacing replaced: ReplacedTranscripts = [],
    madeSince start: Date? = nil
  ) throws -> Set<RecordingID> {
    try write { db in
      var kept: Set<RecordingID> = []
      for transcript in transcripts
      where try db.keep(transcript, replacing: replaced, madeSince: start) {
        kept.insert(transcript.id)
      }
      return kept
    }
  }

  /// Returns the recordings that have no transcript, or one that may be replaced, newest first.
  ///
  /// - Parameters:
  ///   - replaced: What may be replaced.
  ///   - limit: The most recordings to return; `nil` for all.
  public func recordingsToTranscribe(
    replacing replaced: ReplacedTranscripts = [], limit: Int? = nil
  ) throws -> [RecordingID] {
    let list = Self.listToTranscribe(replaced)
    return try read { db in try list.ids(limit: limit, in: db) }
      .compactMap { $0.text.flatMap(UUID.init(uuidString:)) }
  }

  /// Returns how many recordings have no transcript, or one that may be replaced.
  ///
  /// - Parameter replaced: What may be replaced.
  public func countToTranscribe(replacing replaced: ReplacedTranscripts = []) throws -> Int {
    // Each transcript has a recording. To count both is much faster than to look for each.
    let rows = try read { db in
      try db.rows(
        """
        SELECT (SELECT count(*) FROM recording)
          - (SELECT count(*) FROM transcript WHERE \(replaced.stayingInSQL)) AS count
        """)
    }
    return rows.first?["count"].integer ?? 0
  }

  static func listToTranscribe(_ replaced: ReplacedTranscripts) -> RecordList {
    var list = RecordList("recording")
    list.filterRarely(
      """
      NOT EXISTS (
        SELECT 1 FROM transcript
        WHERE transcript.id = recording.id AND (\(replaced.stayingInSQL)))
      """)
    return list
  }

  // MARK: A person's changes

  /// Changes a transcript, or writes the first one. It is a person's from then on, and no machine
  /// replaces it. If nothing changes, it stays as it is.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  ///   - change: Changes the segments or the language. Without a transcript, it gets one without
  ///     segments. When it throws, nothing is written.
  /// - Returns: The changed transcript.
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the recording does not exist,
  ///   or has no transcript and gets no words; and whatever `change` throws.
  @discardableResult
  public func editTranscript(
    of id: RecordingID, now: Date = Date(), _ change: (inout Transcript) throws -> Void
  ) throws -> Transcript {
    try write { db in
      guard try db.hasRecording(id) else { throw HoldfastError.gone(.recordings, id) }
      let old = try db.record(Transcript.self, id: id)
      let before = old ?? Transcript(of: id, without: .allowed, createdAt: now)
      var transcript = before
      try change(&transcript)
      guard !before.isMark || !transcript.segments.isEmpty else {
        throw HoldfastError.noTranscript(id)
      }
      guard transcript != before else { return before }
      transcript.state = transcript.segments.isEmpty ? .silent : .words
      transcript.source = .person
      guard old != nil else {
        try db.add(transcript, now: now)
        return transcript
      }
      return try db.edit(Transcript.self, id: id, now: now) { $0 = transcript }
    }
  }

  /// Deletes a transcript. It is not made again unless a person asks for this recording.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  /// - Throws: `HoldfastError` when the recording has no transcript.
  public func deleteTranscript(of id: RecordingID, now: Date = Date()) throws {
    try write { db in
      _ = try db.editTranscript(of: id, now: now) { transcript in
        guard !transcript.isMark else { throw HoldfastError.noTranscript(id) }
        transcript.remove(.deleted)
      }
    }
  }

  /// Keeps a recording from ever being transcribed. Its transcript is deleted, if it has one.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  /// - Returns: Whether this was not decided before.
  /// - Throws: `HoldfastError` when the recording does not exist.
  @discardableResult
  public func forbidTranscript(of id: RecordingID, now: Date = Date()) throws -> Bool {
    try write { db in
      guard try db.hasRecording(id) else { throw HoldfastError.gone(.recordings, id) }
      guard let old = try db.record(Transcript.self, id: id) else {
        try db.insert(Transcript(of: id, without: .never, createdAt: now))
        return true
      }
      guard old.state != .never else { return false }
      _ = try db.editTranscript(of: id, now: now) { $0.remove(.never) }
      return true
    }
  }

  /// Removes the mark that a recording is to have no transcript. A merge with a library that still
  /// has the mark does not bring it back.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  /// - Returns: Whether it had one.
  /// - Throws: `HoldfastError` when the catalog cannot be written.
  @discardableResult
  public func allowTranscript(of id: RecordingID, now: Date = Date()) throws -> Bool {
    try write { db in
      guard let old = try db.record(Transcript.self, id: id), old.isMark, old.state != .allowed
      else { return false }
      _ = try db.editTranscript(of: id, now: now) { $0.remove(.allowed) }
      return true
    }
  }
}

extension RecordDatabase {
  /// Keeps a machine's transcript, if its recording exists and has none that must stay.
  ///
  /// - Returns: Whether it was kept.
  func keep(
    _ transcript: Transcript, replacing replaced: ReplacedTranscripts, madeSince start: Date?
  ) throws -> Bool {
    guard transcript.source != .person else {
      throw RuleError("a person's transcript is edited, not made")
    }
    guard try hasRecording(transcript.id) else { return false }
    guard let old = try record(Transcript.self, id: transcript.id) else {
      try insert(transcript)
      return true
    }
    // Words that one machine heard take the place of another's silence, as in a merge.
    let isHeardNow = old.state == .silent && old.source != .person && transcript.state == .words
    guard isHeardNow || replaced.include(old) else { return false }
    if let start, let edited = old.modifiedAt, (start...max(start, .now)).contains(edited) {
      return false
    }
    // A program that hears nothing does not remove words that another one heard.
    if old.state == .words, transcript.state == .silent { return false }
    var transcript = transcript
    // A merge must not bring back an earlier decision.
    var decision = old
    // Only by the recording's ID does a person ask for what replaces their own words or deletion.
    if old.source == .person, old.state != .allowed { decision.setEdited(at: .now) }
    transcript.modifiedAt = decision.modifiedAt
    try update(transcript)
    return true
  }

  fileprivate func editTranscript(
    of id: RecordingID, now: Date, _ change: (inout Transcript) throws -> Void
  ) throws -> Transcript {
    guard try record(Transcript.self, id: id) != nil else { throw HoldfastError.noTranscript(id) }
    return try edit(Transcript.self, id: id, now: now) { transcript in
      try change(&transcript)
      transcript.source = .person
    }
  }
}

extension Transcript {
  /// Removes everything that was said, and keeps the reason.
  fileprivate mutating func remove(_ reason: TranscriptState) {
    state = reason
    segments = []
    (program, model, language, isLanguageDoubtful) = (nil, nil, nil, false)
  }
}

extension HoldfastError {
  /// Makes the error that a recording has no transcript.
  public static func noTranscript(_ id: RecordingID) -> HoldfastError {
    HoldfastError(
      .noSuchRecord, "the recording \(id.uuidString) has no transcript",
      operation: "read the transcript")
  }
}
