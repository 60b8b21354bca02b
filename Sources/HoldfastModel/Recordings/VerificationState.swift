public import Foundation

/// What is wrong with a recording's media file.
public enum RecordingFault: String, Codable, CaseIterable, Hashable, Sendable {
  /// It is not there.
  case missing
  /// Its bytes are not those that were written.
  case damaged
}

/// How far back the files' verification goes.
public struct VerificationState: Codable, Hashable, Sendable {
  /// When the files that were verified longest ago were; `nil` when none was.
  public var oldest: Date?
  /// How many recordings' files were never read since the import.
  public var unverified: Int
  /// How many recordings' files are known to be missing or damaged.
  public var faulty: Int

  /// Puts it together.
  public init(oldest: Date?, unverified: Int, faulty: Int) {
    self.oldest = oldest
    self.unverified = unverified
    self.faulty = faulty
  }
}

/// What is known of a recording's files since they were last read.
public struct RecordingFileState: Codable, Hashable, Sendable {
  /// When every byte of them was last found right; `nil` if none was read since the import.
  public var verifiedAt: Date?
  /// What is wrong with the media file; `nil` for nothing that is known.
  public var fault: RecordingFault?
  /// Since when that is known.
  public var faultySince: Date?

  /// Puts it together.
  public init(verifiedAt: Date?, fault: RecordingFault?, faultySince: Date?) {
    self.verifiedAt = verifiedAt
    self.fault = fault
    self.faultySince = faultySince
  }
}
