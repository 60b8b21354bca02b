import CFFmpeg
import HoldfastModel

/// The configuration of a stream of AAC, and a check that its packets name no other.
///
/// A player gets only the configuration in the output's header. Packets of another one, because a
/// microphone changed its rate, do not decode or sound wrong.
struct SoundConfiguration {
  private let isAAC: Bool
  /// The configuration of the header or the first packet; `nil` before the first packet of ADTS.
  private var configuration: AACConfiguration?
  /// The largest sound that the packets name, if they name more than one; `nil` otherwise.
  private(set) var largest: SoundFormat?

  init(_ parameters: AVCodecParameters) {
    isAAC = parameters.codec_id == AV_CODEC_ID_AAC
    if isAAC {
      configuration = AACConfiguration(
        UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    }
  }

  /// Returns why the stream cannot be copied; `nil` if this packet does not prevent it.
  mutating func examine(_ packet: UnsafeMutablePointer<AVPacket>) -> String? {
    guard isAAC else { return nil }
    let header = ADTSHeader(packet)
    guard
      let next = header?.configuration
        ?? packet.sideData(AV_PKT_DATA_NEW_EXTRADATA).flatMap(AACConfiguration.init)
    else { return nil }
    let configuration = configuration ?? next
    self.configuration = configuration
    guard next == configuration else {
      largest = (largest ?? configuration.sound).union(next.sound)
      return "its sound changes partway, from \(configuration.sound.words) to \(next.sound.words)"
    }
    return header.map { $0.frames == 1 } ?? true ? nil : "its packets hold several frames each"
  }
}

extension SoundFormat {
  /// The rate and the channels in words: `44100 Hz and 2 channels`.
  var words: String { "\(sampleRate) Hz and \(channels.counted("channel"))" }
}
