internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A recording as a row of the table `recording`.
///
/// The model's type cannot conform to GRDB's protocols itself: conformances of a public type are
/// public, and GRDB is nobody's business outside this module.
struct RecordingRow: FetchableRecord, PersistableRecord {
  static let databaseTableName = "recording"

  var recording: Recording

  init(_ recording: Recording) { self.recording = recording }

  init(row: Row) throws {
    recording = Recording(
      id: try row.value(Columns.id, UUID.init(uuidString:)),
      recorded: RecordingTimestamp(
        date: try row.value(Columns.timestamp),
        offsetMinutes: try row.optionalValue(Columns.timestampOffset),
        source: try row.value(Columns.timestampSource, TimestampSource.init(rawValue:))),
      type: try row.value(Columns.type, RecordingType.init(rawValue:)),
      purpose: try row.value(Columns.purpose, RecordingPurpose.init(rawValue:)),
      duration: try row.value(Columns.duration),
      title: try row.optionalValue(Columns.title),
      notes: try row.optionalValue(Columns.notes),
      createdAt: try row.value(Columns.createdAt),
      ingestion: try Ingestion(row: row))
    recording.filePath = try row.value(Columns.filePath, RelativePath.init(_:))
    recording.thumbnailPath = try row.optionalValue(Columns.thumbnailPath, RelativePath.init(_:))
    recording.playCount = try row.value(Columns.playCount)
    recording.lastPlayedAt = try row.optionalValue(Columns.lastPlayedAt, as: Date.self)?
      .roundedToMillisecond
    recording.modifiedAt = try row.value(Columns.modifiedAt, as: Date.self).roundedToMillisecond
  }

  func encode(to container: inout PersistenceContainer) throws {
    container[Columns.id] = recording.id.uuidString
    container[Columns.timestamp] = recording.recorded.date.roundedToMillisecond
    container[Columns.timestampOffset] = recording.recorded.offsetMinutes
    container[Columns.timestampSource] = recording.recorded.source.rawValue
    container[Columns.type] = recording.type.rawValue
    container[Columns.purpose] = recording.purpose.rawValue
    container[Columns.duration] = recording.duration
    container[Columns.filePath] = recording.filePath.string
    container[Columns.thumbnailPath] = recording.thumbnailPath?.string
    container[Columns.title] = try recording.title?.withoutZero(in: Columns.title)
    container[Columns.notes] = try recording.notes?.withoutZero(in: Columns.notes)
    container[Columns.playCount] = recording.playCount
    container[Columns.lastPlayedAt] = recording.lastPlayedAt?.roundedToMillisecond
    container[Columns.createdAt] = recording.createdAt.roundedToMillisecond
    container[Columns.modifiedAt] = recording.modifiedAt.roundedToMillisecond
    container[Columns.searchText] = recording.searchText
    try recording.ingestion.encode(to: &container)
  }
}

extension Ingestion {
  fileprivate typealias Columns = RecordingRow.Columns

  fileprivate init(row: Row) throws {
    self.init(
      originalFilename: try row.value(Columns.originalFilename),
      sourceSHA256: try row.value(Columns.sourceSHA256, SHA256Digest.init(hexadecimal:)),
      part: try row.value(Columns.part),
      partCount: try row.value(Columns.partCount),
      fileSize: try row.value(Columns.fileSize),
      fileSHA256: try row.value(Columns.fileSHA256, SHA256Digest.init(hexadecimal:)),
      thumbnailSHA256: try row.optionalValue(
        Columns.thumbnailSHA256, SHA256Digest.init(hexadecimal:)),
      width: try row.optionalValue(Columns.width),
      height: try row.optionalValue(Columns.height),
      conversion: try row.optionalValue(Columns.conversion).flatMap(ConversionReport.init(json:)))
  }

  fileprivate func encode(to container: inout PersistenceContainer) throws {
    container[Columns.originalFilename] = try originalFilename.withoutZero(
      in: Columns.originalFilename)
    container[Columns.sourceSHA256] = sourceSHA256.hexadecimal
    container[Columns.part] = part
    container[Columns.partCount] = partCount
    container[Columns.fileSize] = fileSize
    container[Columns.fileSHA256] = fileSHA256.hexadecimal
    container[Columns.thumbnailSHA256] = thumbnailSHA256?.hexadecimal
    container[Columns.width] = width
    container[Columns.height] = height
    container[Columns.conversion] = try conversion?.json
  }
}

extension String {
  /// This text, unless it holds a NUL: SQLite would store what comes before it, and no more.
  fileprivate func withoutZero(in column: Column) throws -> String {
    guard !utf8.contains(0) else { throw RowDefect.zeroCharacter(in: column.name) }
    return self
  }
}
