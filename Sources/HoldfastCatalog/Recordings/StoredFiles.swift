package import Foundation
import GRDB
package import HoldfastModel

/// The catalog's data about a recording's files, unchecked.
///
/// A path that points elsewhere must be reported, and must not stop the reading.
package struct StoredFiles: Hashable, Sendable, Identifiable {
  package var id: RecordingID
  package var type: RecordingType
  /// The media file's path, unchecked.
  package var filePath: String
  /// The thumbnail's path, unchecked. `nil` for audio.
  package var thumbnailPath: String?
  /// The size of the media file in bytes.
  package var fileSize: Int64
  package var fileSHA256: SHA256Digest
  /// The SHA-256 of the thumbnail. `nil` for audio.
  package var thumbnailSHA256: SHA256Digest?
  package var sourceSHA256: SHA256Digest
  /// The presented duration in seconds.
  package var duration: Double
  package var codecs: CodecStrings
  package var fault: RecordingFault?
  package var faultySince: Date?
}

extension StoredFiles {
  typealias Columns = RecordingRow.Columns

  static var columns: [any SQLSelectable] {
    [
      Columns.id, Columns.type, Columns.filePath, Columns.thumbnailPath, Columns.fileSize,
      Columns.fileSHA256, Columns.thumbnailSHA256, Columns.sourceSHA256,
      Columns.duration, Columns.videoCodec, Columns.audioCodec, Columns.fault, Columns.faultySince,
    ]
  }

  init(row: Row) throws {
    id = try row.value(Columns.id, UUID.init(stored:))
    type = try row.value(Columns.type, RecordingType.init(rawValue:))
    filePath = try row.value(Columns.filePath)
    thumbnailPath = try row.optionalValue(Columns.thumbnailPath)
    fileSize = try row.value(Columns.fileSize)
    fileSHA256 = try row.value(Columns.fileSHA256, SHA256Digest.init(hexadecimal:))
    thumbnailSHA256 = try row.optionalValue(
      Columns.thumbnailSHA256, SHA256Digest.init(hexadecimal:))
    sourceSHA256 = try row.value(Columns.sourceSHA256, SHA256Digest.init(hexadecimal:))
    duration = try row.value(Columns.duration)
    codecs = CodecStrings(
      video: try row.optionalValue(Columns.videoCodec),
      audio: try row.optionalValue(Columns.audioCodec))
    fault = try row.optionalValue(Columns.fault, RecordingFault.init(rawValue:))
    faultySince = try row.optionalValue(Columns.faultySince)
  }
}
