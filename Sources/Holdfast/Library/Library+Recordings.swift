public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// Changes the title, notes or purpose of a recording and sets its modification time.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - changes: The changes.
  ///   - now: The time of the change.
  /// - Returns: The changed recording.
  /// - Throws: ``LibraryError`` when a value breaks a rule, and when there is no such recording.
  public func editRecording(
    id: RecordingID, _ changes: RecordingChanges, now: Date = Date()
  ) throws -> Recording {
    try LibraryError.translating { try changes.validate() }
    return try whileLocked {
      try found(catalog.update(id: id, changes, now: now), "recording", id)
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
  public func countPlay(id: RecordingID, now: Date = Date()) throws -> Int {
    try whileLocked { try found(catalog.countPlay(id: id, now: now), "recording", id) }
  }
}
