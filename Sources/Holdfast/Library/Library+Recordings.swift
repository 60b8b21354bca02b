public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Changes the title, notes or purpose of a recording and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the change.
  ///   - change: Changes the recording. When it throws, nothing is written. A blank title and blank
  ///     notes are removed.
  /// - Returns: The changed recording.
  /// - Throws: ``LibraryError`` when a value breaks a rule, when anything else of the recording is
  ///   changed, and when there is no such recording; and whatever `change` throws.
  @discardableResult
  public func editRecording(
    id: RecordingID, now: Date = Date(), _ change: (inout Recording) throws -> Void
  ) throws -> Recording {
    try whileEditing {
      let edited = try catalog.updateRecording(id: id) { recording in
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
        try recording.validate()
        recording.setEdited(at: now)
      }
      return try found(edited, .recordings, id)
    }
  }

  /// Returns the absolute path of a recording's file, for a player.
  ///
  /// - Throws: ``LibraryError`` when the file is missing, or is not a regular file.
  public func file(of recording: Recording) throws -> String {
    let status = try LibraryError.translating { try tree.status(of: recording.filePath) }
    guard case .regular = status else {
      throw LibraryError(
        .fileMissing,
        "\(path.escapedForDisplay)/\(recording.filePath): the recording's file is missing; "
          + "look for it in a backup")
    }
    return "\(tree.path)/\(recording.filePath)"
  }

  /// Counts one more play of a recording.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The time of the play.
  /// - Returns: The number of plays, with this one.
  /// - Throws: ``LibraryError`` when there is no such recording.
  @discardableResult
  public func countPlay(id: RecordingID, now: Date = Date()) throws -> Int {
    try whileLocked {
      try found(catalog.countPlay(id: id, now: now, at: tree.place()), .recordings, id)
    }
  }
}
