internal import HoldfastCatalog
public import HoldfastModel

extension Library {
  /// The recordings that a query asks for, in its order.
  public func recordings(matching query: RecordingQuery) throws -> [Recording] {
    try catalog.recordings(matching: query)
  }

  /// How many recordings a query asks for, whatever its limit.
  public func count(matching query: RecordingQuery) throws -> Int {
    try catalog.count(matching: query)
  }

  /// The recording that a person named.
  ///
  /// - Parameter name: Its UUID, or at least four characters of its beginning.
  /// - Throws: ``LibraryError`` when no recording begins like that, or more than one does.
  public func recording(named name: String) throws -> Recording {
    guard name.count >= 4 else {
      throw LibraryError(
        .noSuchRecording,
        "\"\(name.escapedForDisplay)\" is too short; give at least 4 characters of the id")
    }
    let found = try catalog.recordings(idPrefix: name, limit: 2)
    guard let recording = found.first else {
      throw LibraryError(
        .noSuchRecording,
        "no recording's id begins with \"\(name.escapedForDisplay)\"; holdfast list shows them")
    }
    guard found.count == 1 else {
      throw LibraryError(
        .noSuchRecording,
        "more than one recording's id begins with \"\(name.escapedForDisplay)\"; give more of it")
    }
    return recording
  }
}
