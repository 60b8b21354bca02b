/// What is in a WAV file of a recording's sound: one channel of 16 bits at 16 kHz.
public struct DecodedSound: Codable, Hashable, Sendable {
  /// The number of samples.
  public var samples: Int
  /// When the first of them is heard, in milliseconds from the beginning of the recording.
  ///
  /// The silence before the first sound is left out, because transcribers hear words in it.
  public var startTime: Int
  /// When the first sample that is not silent is heard, in milliseconds from the beginning of the
  /// recording; as ``startTime`` if all are.
  public var firstSound: Int
  /// The largest magnitude of a sample; at most 32768.
  public var peak: Int

  /// The samples in a second.
  public static let sampleRate = 16_000
  /// The most samples: more than the longest recording has.
  package static let mostSamples = Int(RecordingLimit.longest + 1) * sampleRate
  /// The size of the file's header, in bytes.
  package static let headerBytes = 44
  /// The size of the largest file, in bytes.
  package static let mostBytes = headerBytes + 2 * mostSamples
  /// The largest magnitude that counts as silence: −75 dBFS. Speech was still understood at
  /// −68 LUFS.
  package static let silence = 5

  /// Makes a description.
  public init(samples: Int, startTime: Int, firstSound: Int? = nil, peak: Int) {
    self.samples = samples
    self.startTime = startTime
    self.firstSound = firstSound ?? startTime
    self.peak = peak
  }

  /// Whether no sample exceeds −75 dBFS.
  public var isSilent: Bool { peak <= Self.silence }
  /// The size of the file in bytes.
  public var bytes: Int { Self.headerBytes + 2 * samples }
  /// The length of the sound in seconds.
  public var seconds: Double { Double(samples) / Double(Self.sampleRate) }

  package var isPlausible: Bool {
    (0...Self.mostSamples).contains(samples) && (0...32_768).contains(peak)
      && (0...Self.mostSamples / 16).contains(startTime)
      && (startTime...startTime + Self.mostSamples / 16).contains(firstSound)
  }
}
