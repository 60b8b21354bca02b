public import Foundation
public import HoldfastModel

/// Something in a library that is not as it should be.
public struct VerifyFinding: Codable, Hashable, Sendable {
  /// The kind of a finding: an open set.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String
    /// Makes a kind of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The catalog's own checks fail.
    public static let catalogDamaged = Kind(rawValue: "catalogDamaged")
    /// A row refers to another that is not there.
    public static let brokenLink = Kind(rawValue: "brokenLink")
    /// A row's path points out of the library, or is no path.
    public static let badPath = Kind(rawValue: "badPath")
    /// A row has no file.
    public static let fileMissing = Kind(rawValue: "fileMissing")
    /// A row's file is no regular file.
    public static let notAFile = Kind(rawValue: "notAFile")
    /// A row's file has another size than the catalog says.
    public static let wrongSize = Kind(rawValue: "wrongSize")
    /// A row's file has the right size, and other bytes than those that were written.
    public static let contentChanged = Kind(rawValue: "contentChanged")
    /// A row's file has the bytes of another recording's.
    public static let contentMisplaced = Kind(rawValue: "contentMisplaced")
    /// A row's paths are not those of its recording.
    public static let wrongName = Kind(rawValue: "wrongName")
    /// A file lasts for another time than the catalog says.
    public static let wrongLength = Kind(rawValue: "wrongLength")
    /// What is in a file does not decode cleanly.
    public static let undecodable = Kind(rawValue: "undecodable")
    /// A video has no thumbnail.
    public static let thumbnailMissing = Kind(rawValue: "thumbnailMissing")
    /// A thumbnail has other bytes than those that were written.
    public static let thumbnailChanged = Kind(rawValue: "thumbnailChanged")
    /// A file has no row.
    public static let unknownFile = Kind(rawValue: "unknownFile")
    /// A symbolic link lies where only files belong.
    public static let link = Kind(rawValue: "link")
    /// A file or a folder is not its owner's alone.
    public static let wrongMode = Kind(rawValue: "wrongMode")
    /// A file or a folder is another user's than the library.
    public static let wrongOwner = Kind(rawValue: "wrongOwner")
    /// An interrupted import left its work behind.
    public static let staleStaging = Kind(rawValue: "staleStaging")
    /// An interrupted deletion left files behind.
    public static let staleTrash = Kind(rawValue: "staleTrash")
    /// A stored file holds more than picture, sound and their times.
    public static let personalData = Kind(rawValue: "personalData")
    /// A stored file holds what a person asked to keep in it: no fault, and worth knowing.
    public static let keptMetadata = Kind(rawValue: "keptMetadata")
    /// The catalog's file still holds what was deleted.
    public static let deletedText = Kind(rawValue: "deletedText")
    /// The catalog is too large to be compacted after each deletion, and is due to be.
    public static let compactionDue = Kind(rawValue: "compactionDue")
    /// Something with Holdfast's name lies outside of the library.
    public static let outside = Kind(rawValue: "outside")
    /// Something could not be examined.
    public static let unreadable = Kind(rawValue: "unreadable")
  }

  /// The kind.
  public var kind: Kind
  /// Where it is, relative to the library's folder.
  public var path: String
  /// The recording that it concerns, if there is one.
  public var recording: RecordingID?
  /// What a person reads: one sentence.
  public var detail: String
  /// Since when it is known; `nil` if it was not known before, or is not remembered.
  public var since: Date?
  /// What a repair would do about it or, of one, what it did; `nil` for nothing.
  public var repair: String?
  /// Whether a repair put it right; `nil` when there was none.
  public var isRepaired: Bool?

  /// Makes a finding.
  public init(_ kind: Kind, _ path: String, recording: RecordingID? = nil, _ detail: String) {
    self.kind = kind
    self.path = path
    self.recording = recording
    self.detail = detail
  }
}

extension VerifyFinding {
  /// Whether a recording's file is missing or wrong, so that a backup or the recording's source can help.
  public var concernsFile: Bool {
    let kinds: [Kind] = [
      .fileMissing, .notAFile, .wrongSize, .contentChanged, .contentMisplaced, .undecodable,
    ]
    return recording != nil && kinds.contains(kind)
  }

  /// Reads a finding.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      Kind(rawValue: try values.decode(String.self, forKey: .kind)),
      try values.decode(String.self, forKey: .path),
      recording: try values.decodeIfPresent(RecordingID.self, forKey: .recording),
      try values.decode(String.self, forKey: .detail))
    since = try values.decodeIfPresent(Date.self, forKey: .since)
    repair = try values.decodeIfPresent(String.self, forKey: .repair)
    isRepaired = try values.decodeIfPresent(Bool.self, forKey: .isRepaired)
  }

  /// Writes a finding.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind.rawValue, forKey: .kind)
    try values.encode(path, forKey: .path)
    try values.encodeIfPresent(recording, forKey: .recording)
    try values.encode(detail, forKey: .detail)
    try values.encodeIfPresent(since, forKey: .since)
    try values.encodeIfPresent(repair, forKey: .repair)
    try values.encodeIfPresent(isRepaired, forKey: .isRepaired)
  }

  private enum CodingKeys: String, CodingKey {
    case kind, path, recording, detail, since, repair
    case isRepaired = "repaired"
  }
}
