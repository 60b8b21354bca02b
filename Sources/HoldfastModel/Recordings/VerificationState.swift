public import Foundation

/// A fault of a recording's media file.
public enum RecordingFault: String, Codable, CaseIterable, Hashable, Sendable {
  /// The file is missing, or something else is in its place, such as a folder.
  case missing
  /// The file's bytes differ from those that were written, in number or in value, or cannot be
  /// read.
  case damaged
}

/// How recently the recordings' files were verified.
public struct VerificationState: Codable, Hashable, Sendable {
  /// The earliest time of verification among recordings without a known fault; `nil` if none was
  /// verified.
  public var oldest: Date?
  /// The number of recordings without a known fault whose files have not been verified since the
  /// import.
  public var unverified: Int
  /// The number of recordings whose files are known to be missing or damaged.
  public var faulty: Int

  /// Makes a state.
  public init(oldest: Date?, unverified: Int, faulty: Int) {
    self.oldest = oldest
    self.unverified = unverified
    self.faulty = faulty
  }
}

/// The state of a recording's files when they were last read.
public struct RecordingFileState: Codable, Hashable, Sendable {
  /// When every byte of the files was last found correct; `nil` if they have not been verified
  /// since the import.
  public var verifiedAt: Date?
  /// The fault of the media file; `nil` if none is known.
  public var fault: RecordingFault?
  /// When the fault was found; `nil` without a fault.
  public var faultySince: Date?

  /// Makes a state.
  public init(verifiedAt: Date?, fault: RecordingFault?, faultySince: Date?) {
    self.verifiedAt = verifiedAt
    self.fault = fault
    self.faultySince = faultySince
  }
}
