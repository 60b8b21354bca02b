public import Foundation
public import HoldfastModel

/// A fault in a library.
public struct VerifyFinding: Encodable, Hashable, Sendable {
  /// The kind of a finding. More kinds may be added.
  public struct Kind: RawRepresentable, Codable, Hashable, Sendable {
    /// The kind's name.
    public let rawValue: String
    /// Makes a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The catalog fails its own checks.
    public static let catalogDamaged = Kind(rawValue: "catalogDamaged")
    /// A row refers to another row that does not exist.
    public static let brokenLink = Kind(rawValue: "brokenLink")
    /// A record in the catalog breaks a rule, or cannot be read.
    public static let brokenRule = Kind(rawValue: "brokenRule")
    /// A row's path is outside `Recordings`, or is not a path.
    public static let badPath = Kind(rawValue: "badPath")
    /// A row's file is missing.
    public static let fileMissing = Kind(rawValue: "fileMissing")
    /// A row's file is not a regular file.
    public static let notAFile = Kind(rawValue: "notAFile")
    /// A row's file does not have the size that the catalog gives.
    public static let wrongSize = Kind(rawValue: "wrongSize")
    /// A row's file has the right size, but not the bytes that were written.
    public static let contentChanged = Kind(rawValue: "contentChanged")
    /// A row's file has the bytes of another recording.
    public static let contentMisplaced = Kind(rawValue: "contentMisplaced")
    /// A row's paths are not those of its recording.
    public static let wrongName = Kind(rawValue: "wrongName")
    /// A file does not have the length that the catalog gives.
    public static let wrongLength = Kind(rawValue: "wrongLength")
    /// A file does not decode cleanly.
    public static let undecodable = Kind(rawValue: "undecodable")
    /// A video's thumbnail is missing.
    public static let thumbnailMissing = Kind(rawValue: "thumbnailMissing")
    /// A thumbnail does not have the bytes that were written.
    public static let thumbnailChanged = Kind(rawValue: "thumbnailChanged")
    /// A file has no row.
    public static let unknownFile = Kind(rawValue: "unknownFile")
    /// There is a symbolic link where only files belong.
    public static let link = Kind(rawValue: "link")
    /// Users other than its owner may use a file or a folder.
    public static let wrongMode = Kind(rawValue: "wrongMode")
    /// A file or a folder belongs to another user than the library does.
    public static let wrongOwner = Kind(rawValue: "wrongOwner")
    /// An interrupted import left its work behind.
    public static let staleStaging = Kind(rawValue: "staleStaging")
    /// An interrupted deletion left files behind.
    public static let staleTrash = Kind(rawValue: "staleTrash")
    /// A stored file holds more than picture, sound and their times.
    public static let personalData = Kind(rawValue: "personalData")
    /// A stored file has metadata that the user asked to keep. This is not a fault, but worth
    /// knowing.
    public static let keptMetadata = Kind(rawValue: "keptMetadata")
    /// The index of spoken words is damaged, or has words that were removed.
    public static let wordIndexDamaged = Kind(rawValue: "wordIndexDamaged")
    /// The catalog's file may still have text that was deleted or replaced.
    public static let deletedText = Kind(rawValue: "deletedText")
    /// The catalog is too large to be compacted after each deletion, and its compaction is due.
    public static let compactionDue = Kind(rawValue: "compactionDue")
    /// Something with Holdfast's name is outside the library.
    public static let outside = Kind(rawValue: "outside")
    /// Something could not be examined.
    public static let unreadable = Kind(rawValue: "unreadable")
  }

  /// The user's remedy for a finding that a repair alone does not solve.
  public enum Help: Hashable, Sendable {
    /// Repair it from a backup, or from what the recording was imported from.
    case backup
    /// Import the source again, shortened, and delete this recording.
    case shorterImport
    /// Compact the catalog.
    case compaction
    /// Edit a record of this kind, so that it keeps the rules again, or delete it.
    case edit(RecordKind, id: String)
    /// Allow the engine more time: it stopped with this code, on a machine that may have been busy.
    case time(HoldfastError.Code)
  }

  /// The effect of a repair on a finding.
  public enum Repair: Hashable, Sendable {
    /// Nothing. Only the user can act.
    case none
    /// There was no repair. It would do this; the words follow "a repair would".
    case possible(String)
    /// A repair solved it, by this.
    case done(String)
    /// A repair did not solve it, for this reason if there is one to give.
    case failed(String?)

    /// Whether a repair solved it.
    public var isDone: Bool { if case .done = self { true } else { false } }

    /// The words of any case; `nil` if there are none.
    public var words: String? {
      switch self {
      case .none: nil
      case .possible(let words), .done(let words): words
      case .failed(let words): words
      }
    }
  }

  /// The kind of the finding.
  public var kind: Kind
  /// The path, relative to the library's folder; an absolute one for a finding outside it.
  public var path: String
  /// The recording that it concerns, if there is one.
  public var recording: RecordingID?
  /// One sentence for the user.
  public var detail: String
  /// The time when it was first found; `nil` if it is new, or if that is not stored.
  public var since: Date?
  /// The effect of a repair, possible or done.
  public var repair = Repair.none
  /// The user's remedy; `nil` if there is none, or a repair does it. It is not encoded.
  public var help: Help?

  /// Makes a finding.
  public init(
    _ kind: Kind, path: String, recording: RecordingID? = nil, detail: String, help: Help? = nil
  ) {
    self.kind = kind
    self.path = path
    self.recording = recording
    self.detail = detail
    self.help = help
  }
}

extension VerifyFinding {
  /// Writes a finding.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind.rawValue, forKey: .kind)
    try values.encode(path, forKey: .path)
    try values.encodeIfPresent(recording, forKey: .recording)
    try values.encode(detail, forKey: .detail)
    try values.encodeIfPresent(since, forKey: .since)
    try values.encodeIfPresent(repair.words, forKey: .repair)
    switch repair {
    case .none, .possible: break
    case .done: try values.encode(true, forKey: .repaired)
    case .failed: try values.encode(false, forKey: .repaired)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case kind, path, recording, detail, since, repair, repaired
  }
}

extension VerifyFinding.Help {
  /// Returns the help for an error of the engine: time, if that is what it ran out of.
  init?(_ error: HoldfastError) {
    guard [.stalled, .overdue].contains(error.code) else { return nil }
    self = .time(error.code)
  }
}
