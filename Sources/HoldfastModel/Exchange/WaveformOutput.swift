/// The measurements of a recording's sound as JSON, with the peaks that a waveform is drawn from.
public struct WaveformOutput: Encodable, Sendable {
  private let loudness: Double?
  private let truePeak: Double?
  private let step = SoundProfile.step
  private let peaks: [UInt8]

  /// Makes the JSON of a sound's measurements.
  public init(_ sound: SoundProfile) {
    (loudness, truePeak, peaks) = (sound.loudness, sound.truePeak, sound.peaks)
  }
}
