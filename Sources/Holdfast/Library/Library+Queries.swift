internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// The recordings that a query asks for, in its order.
  public func recordings(matching query: RecordingQuery) throws -> [Recording] {
    try LibraryError.translating { try catalog.recordings(matching: query) }
  }

  /// How many recordings a query asks for, whatever its limit.
  public func count(matching query: RecordingQuery) throws -> Int {
    try LibraryError.translating { try catalog.count(matching: query) }
  }

  /// The recording that a person named.
  ///
  /// - Parameter name: Its UUID, or at least four characters of its beginning.
  /// - Throws: ``LibraryError`` when no recording begins like that, or more than one does.
  public func recording(named name: String) throws -> Recording {
    try only(name, "recording", .recordings, catalog.recordings(idPrefix:limit:))
  }

  /// The recordings that a person named, each once.
  ///
  /// - SeeAlso: ``recording(named:)``
  public func recordings(named names: [String]) throws -> [Recording] {
    var seen: Set<RecordingID> = []
    return try names.map { try recording(named: $0) }.filter { seen.insert($0.id).inserted }
  }

  /// What is known of a recording's files since they were last read.
  public func fileState(of id: RecordingID) throws -> RecordingFileState {
    try LibraryError.translating { try found(catalog.fileState(id: id), "recording", id) }
  }

  /// The recording with this ID; `nil` if there is none.
  public func recording(id: RecordingID) throws -> Recording? {
    try LibraryError.translating { try catalog.recording(id: id) }
  }

  /// The cravings that a query asks for, newest first.
  public func cravings(matching query: CravingQuery) throws -> [Craving] {
    try LibraryError.translating { try catalog.cravings(matching: query) }
  }

  /// How many cravings a query asks for, and how strong they are on average, whatever its page.
  public func summary(of query: CravingQuery) throws -> CravingSummary {
    try LibraryError.translating { try catalog.summary(of: query) }
  }

  /// The craving that a person named.
  ///
  /// - SeeAlso: ``recording(named:)``
  public func craving(named name: String) throws -> Craving {
    try only(name, "craving", .cravings, catalog.cravings(idPrefix:limit:))
  }

  /// The usage that a query asks for, newest first.
  public func usage(matching query: UsageQuery) throws -> [Usage] {
    try LibraryError.translating { try catalog.usage(matching: query) }
  }

  /// How often and how much of each method a query asks for, whatever its page.
  public func summary(of query: UsageQuery) throws -> [UsageSummary] {
    try LibraryError.translating { try catalog.summary(of: query) }
  }

  /// The usage that a person named.
  ///
  /// - SeeAlso: ``recording(named:)``
  public func usage(named name: String) throws -> Usage {
    try only(name, "usage", .usage, catalog.usage(idPrefix:limit:))
  }

  /// All messages, or those of one category, in the order of category and priority.
  public func messages(category: MessageCategory? = nil) throws -> [Message] {
    try LibraryError.translating { try catalog.messages(category: category) }
  }

  /// The message that a person named.
  ///
  /// - SeeAlso: ``recording(named:)``
  public func message(named name: String) throws -> Message {
    try only(name, "message", .messages, catalog.messages(idPrefix:limit:))
  }

  /// The one thing whose ID begins with `name`.
  private func only<Value>(
    _ name: String, _ noun: String, _ kind: RecordKind, _ find: (String, Int) throws -> [Value]
  ) throws -> Value {
    let shown = "\"\(name.escapedForDisplay)\""
    guard name.count >= 4 else {
      throw LibraryError(
        .ambiguousID, "\(shown) is too short; give at least 4 characters of the id", record: kind)
    }
    let found = try LibraryError.translating { try find(name, 2) }
    guard let value = found.first else {
      throw LibraryError(.noSuchRecord, "no \(noun)'s id begins with \(shown)", record: kind)
    }
    guard found.count == 1 else {
      throw LibraryError(
        .ambiguousID, "more than one \(noun)'s id begins with \(shown); give more of it",
        record: kind)
    }
    return value
  }
}
