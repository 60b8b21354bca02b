/// How a thumbnail is made.
public struct ThumbnailJob: Codable, Hashable, Sendable {
  /// The longer side in pixels; pictures are never scaled up.
  public var longSide: Int
  /// The quality of the JPEG, from 1 to 100.
  public var quality: Int
  /// The picture that is shown so many seconds after the presented start, to the frame; `nil` leaves
  /// the choice to the engine. A contact sheet has times of its own.
  public var seconds: Double?
  /// Pictures from the whole length, each with ``longSide``, instead of one.
  public var sheet: ContactSheet?

  /// The longer side of a thumbnail where nobody asked for another, in pixels.
  public static let usualLongSide = 480
  /// The quality of a thumbnail where nobody asked for another.
  public static let usualQuality = 80
  /// How large a thumbnail or a contact sheet may become, in bytes.
  package static let mostBytes = 64 << 20

  /// Makes a job.
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

/// How the pictures of a contact sheet lie.
public struct ContactSheet: Codable, Hashable, Sendable {
  /// How many stand side by side.
  public var columns: Int
  /// How many lines of them there are.
  public var rows: Int

  /// What ``columns`` and ``rows`` may be.
  public static let range = 1...10

  /// Makes a shape.
  public init(columns: Int = 4, rows: Int = 4) {
    self.columns = columns
    self.rows = rows
  }
}

/// Which picture of a video its thumbnail is, and why.
public struct FrameChoice: Codable, Hashable, Sendable {
  /// Why a picture was taken.
  public enum Reason: String, Codable, CaseIterable, Hashable, Sendable {
    /// It is the keyframe at or before 1 s, and shows something.
    case usual
    /// That keyframe is nearly black: this is the best of others.
    case dark
    /// That keyframe is nearly white: this is the best of others.
    case bright
    /// That keyframe is of one tone all over: this is the best of others.
    case flat
    /// That keyframe is blurred beyond use: this is the best of others.
    case blurred
    /// A person asked for it.
    case asked
  }

  /// When it is shown, in seconds after the presented start.
  public var time: Double
  /// How much it shows, from 0, nothing, to 1.
  public var score: Double
  /// Why it was taken.
  public var reason: Reason

  /// Makes a choice.
  public init(time: Double, score: Double, reason: Reason) {
    self.time = time
    self.score = score
    self.reason = reason
  }
}

/// What a thumbnail became.
public struct ThumbnailReport: Codable, Hashable, Sendable {
  /// The size of the JPEG in pixels.
  public var size: PictureSize
  /// The picture that it is; `nil` for a contact sheet.
  public var choice: FrameChoice?
  /// The number of bytes written.
  public var bytes: Int
  /// What the video's streams are coded in; `nil` where that was not looked for.
  public var codecs: CodecStrings?

  /// Makes a report.
  public init(size: PictureSize, choice: FrameChoice?, bytes: Int) {
    self.size = size
    self.choice = choice
    self.bytes = bytes
  }
}

/// How a recording's thumbnail was made: enough to make it again alike.
public struct ThumbnailRecord: Codable, Hashable, Sendable {
  /// The longer side that was asked for, in pixels; the picture may be smaller.
  public var longSide: Int
  /// The quality of the JPEG, from 1 to 100.
  public var quality: Int
  /// The time that a person asked for, in seconds after the presented start; `nil` for none.
  public var asked: Double?
  /// The picture that it is.
  public var choice: FrameChoice

  /// Puts it together.
  public init(longSide: Int, quality: Int, asked: Double?, choice: FrameChoice) {
    self.longSide = longSide
    self.quality = quality
    self.asked = asked
    self.choice = choice
  }

  /// Notes what became of a job; `nil` for a contact sheet.
  public init?(_ job: ThumbnailJob, _ report: ThumbnailReport) {
    guard let choice = report.choice else { return nil }
    self.init(longSide: job.longSide, quality: job.quality, asked: job.seconds, choice: choice)
  }
}
