internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// Returns the recordings that match a query, in the query's order.
  public func recordings(matching query: RecordingQuery) throws -> [Recording] {
    try LibraryError.translating { try catalog.recordings(matching: query) }
  }

  /// Returns how many recordings match a query. The query's limit is ignored.
  public func count(matching query: RecordingQuery) throws -> Int {
    try LibraryError.translating { try catalog.count(matching: query) }
  }

  /// Returns the recording whose ID begins with `prefix`.
  ///
  /// - Parameter prefix: The recording's UUID, or at least its first four characters.
  /// - Throws: ``LibraryError`` when no recording's ID begins like that, or more than one does.
  public func recording(idPrefix prefix: String) throws -> Recording {
    try only(prefix, .recordings, catalog.recordings(idPrefix:limit:))
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
    try LibraryError.translating { try found(catalog.fileState(id: id), .recordings, id) }
  }

  /// Returns how many recordings' files are known, from a verification, to be missing or damaged.
  ///
  /// - Throws: ``LibraryError`` when the catalog cannot be read.
  public func faultyCount() throws -> Int {
    try LibraryError.translating { try catalog.faultyCount() }
  }

  /// Returns how recently the recordings' files were verified.
  ///
  /// - Throws: ``LibraryError`` when the catalog cannot be read.
  public func verificationState() throws -> VerificationState {
    try LibraryError.translating { try catalog.verificationState() }
  }

  /// Returns the recording with this ID, or `nil` if there is none.
  public func recording(id: RecordingID) throws -> Recording? {
    try LibraryError.translating { try catalog.recording(id: id) }
  }

  /// Returns the one value whose ID begins with `prefix`.
  func only<Value>(
    _ prefix: String, _ kind: RecordKind, _ find: (String, Int) throws -> [Value]
  ) throws -> Value {
    let shown = "\"\(prefix.escapedForDisplay)\""
    guard prefix.count >= 4 else {
      throw LibraryError(
        .ambiguousID, "\(shown) is too short; give at least 4 characters of the id", record: kind)
    }
    let found = try LibraryError.translating { try find(prefix, 2) }
    guard let value = found.first else {
      throw LibraryError(
        .noSuchRecord, "no \(kind.singular)'s id begins with \(shown)", record: kind)
    }
    guard found.count == 1 else {
      throw LibraryError(
        .ambiguousID, "more than one \(kind.singular)'s id begins with \(shown); give more of it",
        record: kind)
    }
    return value
  }
}
