import Foundation
import HoldfastModel
import Testing

/// Values that several tests use.
enum Samples {
  /// 2025-10-25T13:42:00Z.
  static let moment = Date(timeIntervalSince1970: 1_761_399_720)

  /// A possible probe of a phone's clip of this many seconds.
  static func info(
    seconds: Double? = 2, pictureObstacle: String? = nil, soundObstacle: String? = nil,
    hasPicture: Bool = true, hasSound: Bool = true
  ) -> MediaInfo {
    var info = MediaInfo(container: "mov", fileSize: 1000)
    info.type = hasPicture ? .video : hasSound ? .audio : nil
    info.duration = seconds
    info.isMeasured = true
    info.start = MediaTime(ticks: 512, numerator: 1, denominator: 15_360)
    if hasPicture {
      var stream = StreamInfo(index: 3, kind: .video, codec: "h264", profile: "High")
      stream.copyObstacle = pictureObstacle
      stream.picture = PictureFormat(width: 320, height: 180)
      info.streams.append(stream)
      info.video = 3
    }
    if hasSound {
      var stream = StreamInfo(index: 1, kind: .audio, codec: "aac")
      stream.copyObstacle = soundObstacle
      stream.sound = SoundFormat(sampleRate: 44_100, channels: 2)
      info.streams.append(stream)
      info.audio = 1
    }
    return info
  }

  /// A recording with every required field, and some optional ones.
  static func recording(offsetMinutes: Int? = 120) throws -> Recording {
    let digest = try #require(SHA256Digest(bytes: [UInt8](repeating: 7, count: 32)))
    return Recording(
      id: try #require(RecordingID(uuidString: "6F9619FF-8B86-D011-B42D-00C04FC964FF")),
      recorded: RecordingTimestamp(
        date: moment, offsetMinutes: offsetMinutes, source: .quickTime),
      type: .video, duration: 2, createdAt: moment,
      ingestion: Ingestion(
        originalFilename: "IMG_0001.MOV", sourceSHA256: digest, fileSize: 1000,
        fileSHA256: digest, width: 320, height: 180,
        conversion: ConversionReport(plan: try ConversionPlan(for: info()))))
  }
}
