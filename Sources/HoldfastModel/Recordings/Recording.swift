public import Foundation

/// A recording's identity: a UUID, written in upper case.
public typealias RecordingID = UUID

/// A clip or voice memo in the library, as the catalog stores it.
public struct Recording: Codable, Hashable, Sendable, Identifiable {
  /// The recording's identity, which is also part of its file's name.
  public var id: RecordingID
  /// When it was recorded, in which time zone, and how that is known.
  public var recorded: RecordingTimestamp
  /// Whether it is video or audio.
  public var type: RecordingType
  /// Why the person keeps it.
  public var purpose: RecordingPurpose
  /// The duration in seconds: more than 0, and at most 120. The file may last a little longer,
  /// because encoders pad sound to whole frames.
  public var duration: Double
  /// The media file, relative to the library's folder.
  public var filePath: RelativePath
  /// The thumbnail, relative to the library's folder; `nil` for audio.
  public var thumbnailPath: RelativePath?
  /// The title that the person gave it; `nil` for none.
  public var title: String?
  /// The notes that the person wrote; `nil` for none.
  public var notes: String?
  /// How many times it was played.
  public var playCount = 0
  /// When it was last played; `nil` for never.
  public var lastPlayedAt: Date?
  /// When it was imported, or when the app that it came from made it.
  public var createdAt: Date
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date?
  /// The import's record of the file and its source.
  public var ingestion: Ingestion

  /// The most Unicode scalars that a title may have.
  public static let longestTitle = 200
  /// The most Unicode scalars that notes may have.
  public static let longestNotes = 5000

  /// Makes a recording. Dates are rounded to the millisecond.
  public init(
    id: RecordingID, recorded: RecordingTimestamp, type: RecordingType,
    purpose: RecordingPurpose = .motivational, duration: Double, title: String? = nil,
    notes: String? = nil, createdAt: Date, ingestion: Ingestion
  ) {
    self.id = id
    self.recorded = recorded
    self.type = type
    self.purpose = purpose
    self.duration = min(duration, RecordingLimit.seconds)
    self.filePath = .media(type, id: id)
    self.thumbnailPath = type == .video ? .thumbnail(id: id) : nil
    self.title = title
    self.notes = notes
    self.createdAt = createdAt.roundedToMillisecond
    self.ingestion = ingestion
  }
}

/// The import's record of a recording's file and the source that it was made from.
public struct Ingestion: Codable, Hashable, Sendable {
  /// The source's own file name, without its folder.
  public var originalFilename: String
  /// The SHA-256 of the source.
  public var sourceSHA256: SHA256Digest
  /// Which part of its source this is, counted from 1.
  public var part: Int
  /// The number of recordings that its source became.
  public var partCount: Int
  /// The size of the media file in bytes.
  public var fileSize: Int64
  /// The SHA-256 of the media file.
  public var fileSHA256: SHA256Digest
  /// The SHA-256 of the thumbnail; `nil` for audio.
  public var thumbnailSHA256: SHA256Digest?
  /// The width in pixels as stored in the file, before any turn; `nil` for audio.
  public var width: Int?
  /// The height in pixels as stored in the file, before any turn; `nil` for audio.
  public var height: Int?
  /// The codecs of the file's streams.
  public var codecs: CodecStrings
  /// How the streams were converted; `nil` if the catalog's text could not be read.
  public var conversion: ConversionReport?

  /// Makes a record from its values.
  public init(
    originalFilename: String, sourceSHA256: SHA256Digest, part: Int = 1, partCount: Int = 1,
    fileSize: Int64, fileSHA256: SHA256Digest, thumbnailSHA256: SHA256Digest? = nil,
    width: Int? = nil, height: Int? = nil, codecs: CodecStrings = CodecStrings(),
    conversion: ConversionReport? = nil
  ) {
    self.originalFilename = originalFilename
    self.sourceSHA256 = sourceSHA256
    self.part = part
    self.partCount = partCount
    self.fileSize = fileSize
    self.fileSHA256 = fileSHA256
    self.thumbnailSHA256 = thumbnailSHA256
    self.width = width
    self.height = height
    self.codecs = codecs
    self.conversion = conversion
  }
}

extension Recording {
  /// Whether its record was lost and rebuilt from its file, so that its source is unknown: the file
  /// stands for it. An app's file may have the same name, but it was converted.
  public var isRebuilt: Bool {
    ingestion.originalFilename == filePath.name
      && ingestion.sourceSHA256 == ingestion.fileSHA256 && ingestion.conversion == nil
  }

  /// The recording with the paths that belong to its ID.
  package var atOwnPaths: Recording {
    var recording = self
    recording.filePath = .media(type, id: id)
    recording.thumbnailPath = type == .video ? .thumbnail(id: id) : nil
    return recording
  }

  /// Refuses a title or notes that the catalog does not allow.
  ///
  /// - Throws: ``RuleError`` with the length and the limit.
  public static func validate(title: String? = nil, notes: String? = nil) throws(RuleError) {
    try title?.validate("the title has", limit: longestTitle)
    try notes?.validate("the notes have", limit: longestNotes)
  }
}
