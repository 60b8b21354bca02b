/// The measurements of a recording's sound as JSON, with the peaks that a waveform is drawn from.
public struct WaveformOutput: Encodable, Sendable {
  private let sound: SoundProfile

  private enum CodingKeys: String, CodingKey { case loudness, truePeak, step, peaks }

  /// Makes the JSON of a sound's measurements.
  public init(_ sound: SoundProfile) { self.sound = sound }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(sound.loudness, forKey: .loudness)
    try values.encodeIfPresent(sound.truePeak, forKey: .truePeak)
    try values.encode(SoundProfile.step, forKey: .step)
    try values.encode(sound.peaks, forKey: .peaks)
  }
}
