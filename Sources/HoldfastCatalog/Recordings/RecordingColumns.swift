import GRDB

extension RecordingRow {
  enum Columns: String, ColumnExpression {
    case id
    case timestamp, timestampOffset, timestampSource
    case type, purpose, duration
    case filePath, thumbnailPath
    case title, notes
    case playCount, lastPlayedAt
    case createdAt, modifiedAt
    case originalFilename, sourceSHA256, part, partCount
    case fileSize, fileSHA256, thumbnailSHA256
    case width, height
    case searchText, conversion
    case verifiedAt, fault, faultySince
    case videoCodec, audioCodec
  }
}
