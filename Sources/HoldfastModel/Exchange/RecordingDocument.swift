public import Foundation

/// A recording as JSON, with the names of its columns in the catalog.
public struct RecordingDocument: Codable, Hashable, Sendable, Identifiable {
  /// The recording.
  public var recording: Recording

  /// How often each copy of a library, and each app, counted a play; `nil` if that is not known.
  public var plays: [CountedPlays]?

  /// The recording's identity.
  public var id: RecordingID { recording.id }

  /// Makes a document from a recording.
  public init(_ recording: Recording, plays: [CountedPlays]? = nil) {
    self.recording = recording
    self.plays = plays
  }

  private enum Columns: String, CodingKey {
    case id, timestamp, timestampOffset, timestampSource, type, purpose, duration, filePath
    case thumbnailPath, title, notes, playCount, lastPlayedAt, createdAt, modifiedAt
    case originalFilename, sourceSHA256, part, partCount, fileSize, fileSHA256, thumbnailSHA256
    case width, height, videoCodec, audioCodec, conversion, plays
  }

  /// Reads a recording. A conversion that cannot be read becomes `nil`.
  ///
  /// - Throws: `DecodingError` or ``RuleError`` if any other value cannot be read.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Columns.self)
    recording = Recording(
      id: try values.decode(UUID.self, forKey: .id),
      recorded: RecordingTimestamp(
        date: try values.decode(Date.self, forKey: .timestamp),
        offsetMinutes: try values.decodeIfPresent(Int.self, forKey: .timestampOffset),
        source: try values.decode(TimestampSource.self, forKey: .timestampSource)),
      type: try values.decode(RecordingType.self, forKey: .type),
      purpose: try values.decode(RecordingPurpose.self, forKey: .purpose),
      duration: try values.decode(Double.self, forKey: .duration),
      title: try values.decodeIfPresent(String.self, forKey: .title),
      notes: try values.decodeIfPresent(String.self, forKey: .notes),
      createdAt: try values.decode(Date.self, forKey: .createdAt),
      ingestion: Ingestion(
        originalFilename: try values.decode(String.self, forKey: .originalFilename),
        sourceSHA256: try values.decode(SHA256Digest.self, forKey: .sourceSHA256),
        part: try values.decode(Int.self, forKey: .part),
        partCount: try values.decode(Int.self, forKey: .partCount),
        fileSize: try values.decode(Int64.self, forKey: .fileSize),
        fileSHA256: try values.decode(SHA256Digest.self, forKey: .fileSHA256),
        thumbnailSHA256: try values.decodeIfPresent(SHA256Digest.self, forKey: .thumbnailSHA256),
        width: try values.decodeIfPresent(Int.self, forKey: .width),
        height: try values.decodeIfPresent(Int.self, forKey: .height),
        codecs: CodecStrings(
          video: try values.decodeIfPresent(String.self, forKey: .videoCodec),
          audio: try values.decodeIfPresent(String.self, forKey: .audioCodec)),
        conversion: try? values.decodeIfPresent(ConversionReport.self, forKey: .conversion)))
    recording.filePath = try values.decode(RelativePath.self, forKey: .filePath)
    recording.thumbnailPath = try values.decodeIfPresent(
      RelativePath.self, forKey: .thumbnailPath)
    recording.playCount = try values.decode(Int.self, forKey: .playCount)
    recording.lastPlayedAt = try values.decodeIfPresent(Date.self, forKey: .lastPlayedAt)
    recording.modifiedAt = try values.modification(
      forKey: .modifiedAt, since: recording.createdAt)
    plays = try values.decodeIfPresent([CountedPlays].self, forKey: .plays)
  }

  /// Writes the recording, without the values that are `nil`.
  public func encode(to encoder: any Encoder) throws {
    let ingestion = recording.ingestion
    var values = encoder.container(keyedBy: Columns.self)
    try values.encode(recording.id, forKey: .id)
    try values.encode(recording.recorded.date, forKey: .timestamp)
    try values.encodeIfPresent(recording.recorded.offsetMinutes, forKey: .timestampOffset)
    try values.encode(recording.recorded.source, forKey: .timestampSource)
    try values.encode(recording.type, forKey: .type)
    try values.encode(recording.purpose, forKey: .purpose)
    try values.encode(recording.duration, forKey: .duration)
    try values.encode(recording.filePath, forKey: .filePath)
    try values.encodeIfPresent(recording.thumbnailPath, forKey: .thumbnailPath)
    try values.encodeIfPresent(recording.title, forKey: .title)
    try values.encodeIfPresent(recording.notes, forKey: .notes)
    try values.encode(recording.playCount, forKey: .playCount)
    try values.encodeIfPresent(recording.lastPlayedAt, forKey: .lastPlayedAt)
    try values.encode(recording.createdAt, forKey: .createdAt)
    try values.encodeIfPresent(recording.modifiedAt, forKey: .modifiedAt)
    try values.encode(ingestion.originalFilename, forKey: .originalFilename)
    try values.encode(ingestion.sourceSHA256, forKey: .sourceSHA256)
    try values.encode(ingestion.part, forKey: .part)
    try values.encode(ingestion.partCount, forKey: .partCount)
    try values.encode(ingestion.fileSize, forKey: .fileSize)
    try values.encode(ingestion.fileSHA256, forKey: .fileSHA256)
    try values.encodeIfPresent(ingestion.thumbnailSHA256, forKey: .thumbnailSHA256)
    try values.encodeIfPresent(ingestion.width, forKey: .width)
    try values.encodeIfPresent(ingestion.height, forKey: .height)
    try values.encodeIfPresent(ingestion.codecs.video, forKey: .videoCodec)
    try values.encodeIfPresent(ingestion.codecs.audio, forKey: .audioCodec)
    try values.encodeIfPresent(ingestion.conversion, forKey: .conversion)
    try values.encodeIfPresent(plays, forKey: .plays)
  }
}

/// The plays of a recording that one copy of a library, or one app, has counted.
public struct CountedPlays: Codable, Hashable, Sendable {
  /// What counted them.
  public var replica: UUID
  /// How many they are.
  public var count: Int

  /// Describes plays.
  public init(replica: UUID, count: Int) {
    self.replica = replica
    self.count = count
  }
}
