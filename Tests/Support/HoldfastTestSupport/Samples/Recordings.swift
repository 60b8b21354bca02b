public import Foundation
public import HoldfastModel
import Testing

/// 2024-05-17 12:00:00 UTC.
public let noon = Date(timeIntervalSince1970: 1_715_947_200)

/// A digest made of one byte, repeated.
public func digest(_ byte: UInt8) throws -> SHA256Digest {
  try #require(SHA256Digest(bytes: Array(repeating: byte, count: 32)))
}

/// A recording with plain values; tests give the values that matter to them.
public func recording(
  id: RecordingID = UUID(), type: RecordingType = .video, at date: Date = noon,
  purpose: RecordingPurpose = .motivational, duration: Double = 12.5, title: String? = nil,
  notes: String? = nil, name: String = "IMG_0001.MOV", playCount: Int = 0, source: UInt8 = 1,
  file: UInt8 = 2, part: Int = 1, partCount: Int = 1
) throws -> Recording {
  var recording = Recording(
    id: id, recorded: RecordingTimestamp(date: date, source: .container), type: type,
    purpose: purpose, duration: duration, title: title, notes: notes, createdAt: noon,
    ingestion: Ingestion(
      originalFilename: name, sourceSHA256: try digest(source), part: part, partCount: partCount,
      fileSize: 1000, fileSHA256: try digest(file),
      thumbnailSHA256: type == .video ? try digest(3) : nil,
      width: type == .video ? 1920 : nil, height: type == .video ? 1080 : nil))
  recording.playCount = playCount
  return recording
}

/// A UUID of one hexadecimal digit, 0 to 15, 32 times.
public func uuid(_ digit: Int) throws -> UUID {
  let character = String(digit, radix: 16)
  let parts = [8, 4, 4, 4, 12].map { String(repeating: character, count: $0) }
  return try #require(UUID(uuidString: parts.joined(separator: "-")))
}
