public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Changes what a person may change of a recording, and notes when.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - changes: What to change.
  ///   - now: The moment of the change.
  /// - Returns: The recording as it is now.
  /// - Throws: `RuleError` for a value that breaks a rule; ``LibraryError`` when there is no such
  ///   recording.
  public func editRecording(
    id: RecordingID, _ changes: RecordingChanges, now: Date = Date()
  ) throws -> Recording {
    try LibraryError.translating { try changes.validate() }
    return try whileLocked {
      try found(catalog.update(id: id, changes, now: now), "recording", id)
    }
  }

  /// The absolute path of a recording's file, for a player.
  ///
  /// - Throws: ``LibraryError`` when the file is not there, or is no file.
  public func file(of recording: Recording) throws -> String {
    let status = try LibraryError.translating { try tree.status(of: recording.filePath) }
    guard case .regular = status else {
      throw LibraryError(
        .fileMissing,
        "\(path.escapedForDisplay)/\(recording.filePath): the recording's file is not there; "
          + "look for it in a backup")
    }
    return "\(tree.path)/\(recording.filePath)"
  }

  /// Counts one more play of a recording.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - now: The moment of the play.
  /// - Returns: How often it was played now.
  /// - Throws: ``LibraryError`` when there is no such recording.
  public func countPlay(id: RecordingID, now: Date = Date()) throws -> Int {
    try whileLocked { try found(catalog.countPlay(id: id, now: now), "recording", id) }
  }
}
