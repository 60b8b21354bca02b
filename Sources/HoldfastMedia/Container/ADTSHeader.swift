import CFFmpeg
import HoldfastModel

/// The profile, the rate and the channels of AAC, as an `AudioSpecificConfig` begins with them
/// (ISO/IEC 14496-3, 1.6.2.1).
struct AACConfiguration: Equatable {
  /// The sample rates by their index (ISO/IEC 14496-3, table 1.18).
  private static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000,
    7_350,
  ]

  /// Five bits for the profile, four for the rate, four for the channels, and three that do not
  /// count.
  private let bits: UInt16
  /// The sample rate in hertz, without spectral band replication.
  let sampleRate: Int

  /// Creates a configuration; `nil` if the index of its rate is reserved.
  fileprivate init?(profile: UInt8, rate: UInt8, layout: UInt8) {
    guard Self.sampleRates.indices.contains(Int(rate)) else { return nil }
    bits = UInt16(profile) << 11 | UInt16(rate) << 7 | UInt16(layout) << 3
    sampleRate = Self.sampleRates[Int(rate)]
  }

  /// Reads the beginning of an `AudioSpecificConfig`. Returns `nil` if its rate has no index.
  init?(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard bytes.count >= 2 else { return nil }
    self.init(
      profile: bytes[0] >> 3, rate: (bytes[0] & 7) << 1 | bytes[1] >> 7,
      layout: bytes[1] >> 3 & 0xF)
  }

  /// The number of channels; 0 if the packets describe them.
  private var channels: Int {
    let layout = Int(bits >> 3 & 0xF)
    return layout == 7 ? 8 : layout
  }

  var sound: SoundFormat { SoundFormat(sampleRate: sampleRate, channels: channels) }
}

/// The header of an ADTS packet, which describes the AAC in it (ISO/IEC 14496-3, 1.A.2.2).
///
/// FFmpeg's `av_adts_header_parse` gives neither the sample rate nor the channels.
struct ADTSHeader {
  /// The number of samples of an AAC frame, before spectral band replication doubles it.
  private static let frameSize = 1024

  let configuration: AACConfiguration
  let frames: Int
  /// The length of the packet, its header included, in bytes.
  let length: Int

  init?(_ packet: UnsafeMutablePointer<AVPacket>) {
    guard packet.pointee.size >= 7, let bytes = packet.pointee.data, bytes[0] == 0xFF,
      bytes[1] & 0xF6 == 0xF0,
      let configuration = AACConfiguration(
        profile: bytes[2] >> 6 + 1, rate: bytes[2] >> 2 & 0xF,
        layout: (bytes[2] & 1) << 2 | bytes[3] >> 6)
    else { return nil }
    self.configuration = configuration
    frames = Int(bytes[6] & 3) + 1
    length = Int(bytes[3] & 3) << 11 | Int(bytes[4]) << 3 | Int(bytes[5] >> 5)
  }

  /// The packet's duration, in seconds.
  var duration: Double { Double(frames * Self.frameSize) / Double(configuration.sampleRate) }
}
