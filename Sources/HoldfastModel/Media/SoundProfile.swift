/// What a recording's sound is like: how loud it is, and where in it something is to be heard.
public struct SoundProfile: Codable, Hashable, Sendable {
  /// The integrated loudness (EBU R 128), in LUFS; `nil` where there is nothing but silence, or less than
  /// the 0.4 s that the measurement takes.
  public var loudness: Double?
  /// The true peak (ITU-R BS.1770-4, annex 2), in dBTP; `nil` for silence.
  public var truePeak: Double?
  /// The highest sample of any channel in each ``step``, from 0 to 255 at full scale.
  public var peaks: [UInt8]

  /// How long the sound is of which one peak is kept, in seconds.
  public static let step = 0.02
  /// The most peaks: those of the longest recording.
  public static let mostPeaks = 6000
  /// What a loudness may be, in LUFS: below it the measurement hears nothing (ITU-R BS.1770-4, gate).
  package static let loudnessRange = -70.0...30.0
  /// What a true peak may be, in dBTP.
  package static let truePeakRange = -200.0...60.0

  /// Puts it together.
  public init(loudness: Double?, truePeak: Double?, peaks: [UInt8]) {
    self.loudness = loudness
    self.truePeak = truePeak
    self.peaks = peaks
  }

  /// Whether every figure is one that sound can have.
  package var isPlausible: Bool {
    peaks.count <= Self.mostPeaks
      && (loudness.map(Self.loudnessRange.contains) ?? true)
      && (truePeak.map(Self.truePeakRange.contains) ?? true)
  }
}

/// How a waveform is drawn.
public struct WaveformJob: Codable, Hashable, Sendable {
  /// What the picture is written as.
  public enum Format: Codable, Hashable, Sendable {
    /// Without loss.
    case png
    /// With a quality from 1 to 100.
    case jpeg(quality: Int)
  }

  /// What is drawn: ``SoundProfile/peaks``.
  public var peaks: [UInt8]
  /// The picture's size in pixels.
  public var size: PictureSize
  /// What it is written as.
  public var format: Format

  /// The width where nobody asked for another, in pixels.
  public static let usualWidth = 640
  /// What a width may be, in pixels.
  public static let widths = 16...8192

  /// Makes a job for a picture that is a quarter as high as it is wide.
  public init(peaks: [UInt8], width: Int = usualWidth, format: Format = .png) {
    self.peaks = peaks
    size = PictureSize(width: width, height: width / 4)
    self.format = format
  }
}
