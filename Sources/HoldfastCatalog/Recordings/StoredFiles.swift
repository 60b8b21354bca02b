package import Foundation
import GRDB
package import HoldfastModel

/// The catalog's data about the files of a recording, or about the file of a photo, unchecked.
///
/// A path that points elsewhere must be reported, and must not stop the reading.
package struct StoredFiles: Hashable, Sendable, Identifiable {
  package var id: UUID
  /// The recording's type; `nil` for a photo.
  package var type: RecordingType?
  /// The media file's path, unchecked.
  package var filePath: String
  /// The thumbnail's path, unchecked. `nil` for audio.
  package var thumbnailPath: String?
  /// The size of the media file in bytes.
  package var fileSize: Int64
  package var fileSHA256: SHA256Digest
  /// The SHA-256 of the thumbnail. `nil` for audio.
  package var thumbnailSHA256: SHA256Digest?
  /// The SHA-256 of a recording's source.
  package var sourceSHA256: SHA256Digest?
  /// The presented duration in seconds.
  package var duration: Double
  package var codecs: CodecStrings
  package var fault: RecordingFault?
  package var faultySince: Date?

  /// The path that the media file or the photo should have.
  package var ownPath: RelativePath { type.map { .media($0, id: id) } ?? .photo(id: id) }
  /// The recording; `nil` for a photo.
  package var recordingID: RecordingID? { type == nil ? nil : id }
  /// What the file is, for a sentence: "the recording's file".
  package var noun: String { type == nil ? "the photo" : "the recording's file" }
}

extension StoredFiles {
  /// The columns of a table of photos beside its key.
  static let photoColumns = ["fileSize", "fileSHA256", "verifiedAt", "fault", "faultySince"]

  init(photo row: Row) throws {
    id = try row.value(Columns.id, UUID.init(stored:))
    filePath = RelativePath.photo(id: id).string
    fileSize = try row.value(Columns.fileSize)
    fileSHA256 = try row.value(Columns.fileSHA256, SHA256Digest.init(hexadecimal:))
    duration = 0
    codecs = CodecStrings()
    fault = try row.optionalValue(Columns.fault, RecordingFault.init(rawValue:))
    faultySince = try row.optionalValue(Columns.faultySince)
  }
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
