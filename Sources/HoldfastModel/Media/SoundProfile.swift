/// How loud a recording's sound is, and where in the recording there is something to hear.
public struct SoundProfile: Codable, Hashable, Sendable {
  /// The integrated loudness (EBU R 128), in LUFS; `nil` if there is only silence, or less than the
  /// 0.4 s that the measurement needs.
  public var loudness: Double?
  /// The true peak (ITU-R BS.1770-4, annex 2), in dBTP; `nil` for silence.
  public var truePeak: Double?
  /// The highest sample of any channel in each ``step``, from 0 to 255 at full scale.
  public var peaks: [UInt8]

  /// The length of sound that one peak covers, in seconds.
  public static let step = 0.02
  /// The most peaks: enough for 120 s. Any sound after that has no peaks.
  public static let mostPeaks = 6000
  /// The allowed values of a loudness, in LUFS. The measurement ignores anything quieter (ITU-R
  /// BS.1770-4, gate).
  package static let loudnessRange = -70.0...30.0
  /// The allowed values of a true peak, in dBTP.
  package static let truePeakRange = -200.0...60.0

  /// Makes a sound profile.
  public init(loudness: Double?, truePeak: Double?, peaks: [UInt8]) {
    self.loudness = loudness
    self.truePeak = truePeak
    self.peaks = peaks
  }

  package var isPlausible: Bool {
    peaks.count <= Self.mostPeaks
      && (loudness.map(Self.loudnessRange.contains) ?? true)
      && (truePeak.map(Self.truePeakRange.contains) ?? true)
  }
}

/// How to draw a waveform.
public struct WaveformJob: Codable, Hashable, Sendable {
  /// The file format of the picture.
  public enum Format: Codable, Hashable, Sendable {
    /// PNG, without loss.
    case png
    /// JPEG, with a quality from 1 to 100.
    case jpeg(quality: Int)
  }

  /// The peaks to draw: ``SoundProfile/peaks``.
  public var peaks: [UInt8]
  /// The picture's size in pixels.
  public var size: PictureSize
  /// The file format of the picture.
  public var format: Format

  /// The default width, in pixels.
  public static let usualWidth = 640
  /// The allowed widths, in pixels.
  public static let widths = 16...8192

  /// Makes a job for a picture that is a quarter as high as it is wide.
  public init(peaks: [UInt8], width: Int = usualWidth, format: Format = .png) {
    self.peaks = peaks
    size = PictureSize(width: width, height: width / 4)
    self.format = format
  }
}
