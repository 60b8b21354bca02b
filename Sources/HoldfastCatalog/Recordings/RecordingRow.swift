import Foundation
import GRDB
import HoldfastModel

/// A recording as a row of the table `recording`.
///
/// The model's types cannot conform to GRDB's protocols: conformances of a public type are public,
/// and GRDB must stay hidden inside this module.
struct RecordingRow: FetchableRecord, PersistableRecord {
  static let databaseTableName = "recording"

  var value: Recording
  /// A conversion as JSON text, which is written instead of the value's conversion.
  var conversion: String?

  init(_ value: Recording) { self.value = value }

  init(row: Row) throws {
    let id = try row.value(Columns.id, UUID.init(stored:))
    let duration: Double = try row.value(Columns.duration)
    // A damaged catalog may hold a value that would become the longest allowed duration.
    guard duration.isFinite else {
      throw RowDefect.unreadable(id.uuidString, column: "duration", value: "\(duration)")
    }
    value = Recording(
      id: id,
      recorded: RecordingTimestamp(
        date: try row.value(Columns.timestamp),
        offsetMinutes: try row.optionalValue(Columns.timestampOffset),
        source: try row.value(Columns.timestampSource, TimestampSource.init(rawValue:))),
      type: try row.value(Columns.type, RecordingType.init(rawValue:)),
      purpose: try row.value(Columns.purpose, RecordingPurpose.init(rawValue:)),
      duration: duration,
      title: try row.optionalValue(Columns.title),
      notes: try row.optionalValue(Columns.notes),
      createdAt: try row.value(Columns.createdAt),
      ingestion: try Ingestion(row: row))
    value.filePath = try row.value(Columns.filePath, RelativePath.init(_:))
    value.thumbnailPath = try row.optionalValue(Columns.thumbnailPath, RelativePath.init(_:))
    value.playCount = try row.value(Columns.playCount)
    value.lastPlayedAt = try row.optionalValue(Columns.lastPlayedAt, as: Date.self)?
      .roundedToMillisecond
    value.modifiedAt = try row.optionalValue(Columns.modifiedAt, as: Date.self)?
      .roundedToMillisecond
  }

  func encode(to container: inout PersistenceContainer) throws {
    container[Columns.id] = value.id.uuidString
    container[Columns.timestamp] = value.recorded.date.roundedToMillisecond
    container[Columns.timestampOffset] = value.recorded.offsetMinutes
    container[Columns.timestampSource] = value.recorded.source.rawValue
    container[Columns.type] = value.type.rawValue
    container[Columns.purpose] = value.purpose.rawValue
    container[Columns.duration] = value.duration
    container[Columns.filePath] = value.filePath.string
    container[Columns.thumbnailPath] = value.thumbnailPath?.string
    container[Columns.title] = try value.title?.withoutZero(in: Columns.title)
    container[Columns.notes] = try value.notes?.withoutZero(in: Columns.notes)
    container[Columns.playCount] = value.playCount
    container[Columns.lastPlayedAt] = value.lastPlayedAt?.roundedToMillisecond
    container[Columns.createdAt] = value.createdAt.roundedToMillisecond
    container[Columns.modifiedAt] = value.modifiedAt?.roundedToMillisecond
    container[Columns.searchText] = value.searchText
    try value.ingestion.encode(to: &container)
    if let conversion { container[Columns.conversion] = conversion }
  }
}

extension RecordingRow {
  static func with(_ id: RecordingID) -> QueryInterfaceRequest<Self> {
    filter(Columns.id == id.uuidString)
  }

  /// A page of all rows, in the order of their IDs.
  static func page(after key: String?, limit: Int) -> QueryInterfaceRequest<Self> {
    filter(Columns.id > (key ?? "").endOfPage).order(Columns.id)
      .limit(min(max(limit, 0), Catalog.longestPage))
  }

  /// More plays than a real recording has. A sum of larger numbers may be more than SQLite can add.
  static let mostPlays = 1_000_000_000

  func willUpdate(_ db: Database, columns: Set<String>) throws {
    let own =
      try databaseDictionary
      .filter { columns.contains($0.key) && $0.key != Columns.searchText.name }
      .map { (name: $0.key, value: $0.value) }
    try db.setCompactionDue(
      ifReplacing: own, in: Self.databaseTableName, where: Columns.id.name, is: value.id.uuidString)
  }

  /// The columns that a merge copies. Each library verifies files against its rows itself.
  static let mergedColumns = mergedTexts + mergedNumbers

  static let mergedTexts = [
    Columns.id, Columns.timestamp, Columns.timestampSource, Columns.type, Columns.purpose,
    Columns.filePath, Columns.thumbnailPath, Columns.title, Columns.notes, Columns.lastPlayedAt,
    Columns.createdAt, Columns.modifiedAt, Columns.originalFilename, Columns.sourceSHA256,
    Columns.fileSHA256, Columns.thumbnailSHA256, Columns.searchText, Columns.conversion,
    Columns.videoCodec, Columns.audioCodec,
  ].map(\.name)

  private static let mergedNumbers = [
    Columns.timestampOffset, Columns.duration, Columns.playCount, Columns.part, Columns.partCount,
    Columns.fileSize, Columns.width, Columns.height,
  ].map(\.name)
}

extension Database {
  func setColumns(
    _ columns: String, to values: StatementArguments = [], of id: RecordingID
  ) throws {
    try cachedStatement(sql: "UPDATE recording SET \(columns) WHERE id = ?")
      .execute(arguments: values + [id.uuidString])
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
      codecs: CodecStrings(
        video: try row.optionalValue(Columns.videoCodec),
        audio: try row.optionalValue(Columns.audioCodec)),
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
    container[Columns.videoCodec] = codecs.video
    container[Columns.audioCodec] = codecs.audio
    container[Columns.conversion] = try conversion?.json
  }
}
