/// How to make a thumbnail.
public struct ThumbnailJob: Codable, Hashable, Sendable {
  /// The length of the longer side in pixels. Pictures are never scaled up.
  public var longSide: Int
  /// The JPEG quality, from 1 to 100.
  public var quality: Int
  /// The picture to use, in seconds after the presented start, exact to the frame. `nil` leaves the
  /// choice to the engine. A contact sheet does not use this time.
  public var seconds: Double?
  /// The layout of a contact sheet, whose pictures come from the whole length and have ``longSide``
  /// each; `nil` for a single picture.
  public var sheet: ContactSheet?

  /// The default length of a thumbnail's longer side, in pixels.
  public static let usualLongSide = 480
  /// The default quality of a thumbnail.
  public static let usualQuality = 80
  /// The largest thumbnail or contact sheet, in bytes.
  package static let mostBytes = 64 << 20

  /// Makes a job. Without arguments, it makes a thumbnail of the default size and quality.
  public init(
    longSide: Int = usualLongSide, quality: Int = usualQuality, seconds: Double? = nil,
    sheet: ContactSheet? = nil
  ) {
    self.longSide = longSide
    self.quality = quality
    self.seconds = seconds
    self.sheet = sheet
  }
}

/// The layout of a contact sheet.
public struct ContactSheet: Codable, Hashable, Sendable {
  /// The number of pictures in a row.
  public var columns: Int
  /// The number of rows.
  public var rows: Int

  /// The allowed values of ``columns`` and ``rows``.
  public static let range = 1...10

  /// Makes a layout.
  public init(columns: Int = 4, rows: Int = 4) {
    self.columns = columns
    self.rows = rows
  }
}

/// Which picture of a video its thumbnail shows, and why.
public struct FrameChoice: Codable, Hashable, Sendable {
  /// Why a picture was chosen.
  public enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
    /// The keyframe at or before 1 s: it shows enough.
    case usual
    /// The best of the other pictures, because that keyframe is nearly black.
    case dark
    /// The best of the other pictures, because that keyframe is nearly white.
    case bright
    /// The best of the other pictures, because that keyframe is one tone all over.
    case flat
    /// The best of the other pictures, because that keyframe is blurred beyond use.
    case blurred
    /// The picture that a person asked for.
    case asked
  }

  /// When the picture is shown, in seconds after the presented start.
  public var time: Double
  /// How much the picture shows, from 0 (nothing) to 1.
  public var score: Double
  /// Why the picture was chosen.
  public var reason: Reason

  /// Makes a choice.
  public init(time: Double, score: Double, reason: Reason) {
    self.time = time
    self.score = score
    self.reason = reason
  }
}

/// The thumbnail that was made.
public struct ThumbnailReport: Codable, Hashable, Sendable {
  /// The size of the JPEG in pixels.
  public var size: PictureSize
  /// The picture that was chosen; `nil` for a contact sheet.
  public var choice: FrameChoice?
  /// The number of bytes written.
  public var bytes: Int
  /// The codecs of the video's streams; `nil` if they were not determined.
  public var codecs: CodecStrings?

  /// Makes a report.
  public init(size: PictureSize, choice: FrameChoice?, bytes: Int) {
    self.size = size
    self.choice = choice
    self.bytes = bytes
  }
}

/// How a recording's thumbnail was made: enough to make the same one again.
public struct ThumbnailRecord: Codable, Hashable, Sendable {
  /// The longer side that was requested, in pixels. The picture may be smaller.
  public var longSide: Int
  /// The quality of the JPEG, from 1 to 100.
  public var quality: Int
  /// The time that a person asked for, in seconds after the presented start; `nil` for none.
  public var asked: Double?
  /// The picture that was chosen.
  public var choice: FrameChoice

  /// Makes a record from its values.
  public init(longSide: Int, quality: Int, asked: Double?, choice: FrameChoice) {
    self.longSide = longSide
    self.quality = quality
    self.asked = asked
    self.choice = choice
  }

  /// Makes a record from a job and its report; `nil` for a contact sheet.
  public init?(_ job: ThumbnailJob, _ report: ThumbnailReport) {
    guard let choice = report.choice else { return nil }
    self.init(longSide: job.longSide, quality: job.quality, asked: job.seconds, choice: choice)
  }
}
