internal import Foundation
internal import HoldfastModel

/// A recording as JSON, under the names that its columns have in the catalog.
struct RecordingOutput: Encodable {
  var id: RecordingID
  var timestamp: Date
  var timestampOffset: Int?
  var timestampSource: TimestampSource
  var type: RecordingType
  var purpose: RecordingPurpose
  var duration: Double
  var filePath: String
  var thumbnailPath: String?
  var title: String?
  var displayTitle: String
  var notes: String?
  var playCount: Int
  var lastPlayedAt: Date?
  var createdAt: Date
  var modifiedAt: Date
  var originalFilename: String
  var sourceSHA256: SHA256Digest
  var part: Int
  var partCount: Int
  var fileSize: Int64
  var fileSHA256: SHA256Digest
  var thumbnailSHA256: SHA256Digest?
  var width: Int?
  var height: Int?
  var conversion: ConversionReport?

  init(_ recording: Recording) {
    id = recording.id
    timestamp = recording.recorded.date
    timestampOffset = recording.recorded.offsetMinutes
    timestampSource = recording.recorded.source
    type = recording.type
    purpose = recording.purpose
    duration = recording.duration
    filePath = recording.filePath.string
    thumbnailPath = recording.thumbnailPath?.string
    title = recording.title
    displayTitle = recording.displayTitle
    notes = recording.notes
    playCount = recording.playCount
    lastPlayedAt = recording.lastPlayedAt
    createdAt = recording.createdAt
    modifiedAt = recording.modifiedAt
    originalFilename = recording.ingestion.originalFilename
    sourceSHA256 = recording.ingestion.sourceSHA256
    part = recording.ingestion.part
    partCount = recording.ingestion.partCount
    fileSize = recording.ingestion.fileSize
    fileSHA256 = recording.ingestion.fileSHA256
    thumbnailSHA256 = recording.ingestion.thumbnailSHA256
    width = recording.ingestion.width
    height = recording.ingestion.height
    conversion = recording.ingestion.conversion
  }
}

extension Recording {
  /// The first eight characters of the id, by which a person names the recording.
  var shortID: String { String(id.uuidString.prefix(8)) }
}
