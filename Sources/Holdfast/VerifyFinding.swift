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
    /// A row's path points out of the library, or is no path.
    public static let badPath = Kind(rawValue: "badPath")
    /// A row has no file.
    public static let fileMissing = Kind(rawValue: "fileMissing")
    /// A row's file is no regular file.
    public static let notAFile = Kind(rawValue: "notAFile")
    /// A row's file has another size than the catalog says.
    public static let wrongSize = Kind(rawValue: "wrongSize")
    /// A video has no thumbnail.
    public static let thumbnailMissing = Kind(rawValue: "thumbnailMissing")
    /// A file has no row.
    public static let unknownFile = Kind(rawValue: "unknownFile")
    /// An interrupted import left its work behind.
    public static let staleStaging = Kind(rawValue: "staleStaging")
    /// An interrupted deletion left files behind.
    public static let staleTrash = Kind(rawValue: "staleTrash")
    /// A stored file holds more than picture, sound and their times.
    public static let personalData = Kind(rawValue: "personalData")
    /// A stored file holds what a person asked to keep in it: no fault, and worth knowing.
    public static let keptMetadata = Kind(rawValue: "keptMetadata")
    /// Others than its owner may read a file or a folder, or its owner may not.
    public static let wrongMode = Kind(rawValue: "wrongMode")
    /// A symbolic link, of which Holdfast makes none.
    public static let link = Kind(rawValue: "link")
    /// The catalog's file still holds what was deleted.
    public static let deletedText = Kind(rawValue: "deletedText")
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

  /// Makes a finding.
  public init(_ kind: Kind, _ path: String, recording: RecordingID? = nil, _ detail: String) {
    self.kind = kind
    self.path = path
    self.recording = recording
    self.detail = detail
  }
}

extension VerifyFinding {
  /// Reads a finding.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      Kind(rawValue: try values.decode(String.self, forKey: .kind)),
      try values.decode(String.self, forKey: .path),
      recording: try values.decodeIfPresent(RecordingID.self, forKey: .recording),
      try values.decode(String.self, forKey: .detail))
  }

  /// Writes a finding.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind.rawValue, forKey: .kind)
    try values.encode(path, forKey: .path)
    try values.encodeIfPresent(recording, forKey: .recording)
    try values.encode(detail, forKey: .detail)
  }

  private enum CodingKeys: String, CodingKey { case kind, path, recording, detail }
}
