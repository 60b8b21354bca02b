import CFFmpeg
import HoldfastModel

/// The encoding of sound: the encoder, the rate, and the number of channels and bits.
struct SoundTarget {
  static let aacEncoder = "aac"
  private static let alacEncoder = "alac"
  /// The most bits per sample that FFmpeg's ALAC encoder accepts.
  private static let mostBits = 24

  let codec: SoundCodec
  let sampleRate: CInt
  let channels: CInt
  /// Bits per sample of sound that is kept without loss; `nil` for AAC, whose samples have no bit
  /// depth.
  let bits: Int?
  /// A warning for the person about quality that ALAC cannot keep; `nil` for none.
  let warning: String?
  /// Whether mixing channels or changing the rate may make AAC sound louder than its source. It is
  /// false for ALAC.
  let mayGrow: Bool
  /// Whether the channels are the parts of a sound field, and only the first is kept.
  let isAmbisonic: Bool
  /// The filter that picks one channel out of many; empty if all are used.
  private let mix: String

  /// Chooses the encoding of a sound stream: AAC if none is planned.
  init(_ planned: ConversionPlan.Stream?, of stream: UnsafeMutablePointer<AVStream>) {
    let largest = planned?.largestSound
    let headerRate = stream.parameters.pointee.sample_rate
    let layout = stream.parameters.pointee.ch_layout
    let sourceRate = max(headerRate, CInt(clamping: largest?.sampleRate ?? 0))
    let sourceChannels = max(layout.nb_channels, CInt(clamping: largest?.channels ?? 0))
    isAmbisonic = layout.order == AV_CHANNEL_ORDER_AMBISONIC
    codec = planned?.soundCodec ?? .aac
    channels = sourceChannels == 1 || isAmbisonic ? 1 : 2
    // The first channel of ambisonic sound holds the sound from all directions (RFC 8486 §3.1). The
    // others say which direction it came from.
    mix = isAmbisonic ? "channelmap=map=0:channel_layout=mono," : ""
    let isMixed = sourceChannels > 2 && !isAmbisonic
    switch codec {
    case .aac:
      // Rates of the 44.1 kHz family stay in it; everything else becomes 48 kHz.
      sampleRate = sourceRate > 0 && 88_200 % sourceRate == 0 ? 44_100 : 48_000
      (bits, warning) = (nil, nil)
      mayGrow = isMixed || sampleRate != sourceRate || largest != nil
    case .alac:
      sampleRate = sourceRate > 0 ? sourceRate : 48_000
      mayGrow = false
      let format = AVSampleFormat(rawValue: stream.parameters.pointee.format)
      let there = stream.losslessBitDepth ?? Int(av_get_bytes_per_sample(format)) * 8
      let isFloat = Self.floats.contains(format)
      bits = there <= 16 && !isFloat ? 16 : Self.mostBits
      if isFloat {
        warning =
          "its sound in floating point is kept with \(Self.mostBits) bits a sample, and clipped "
          + "where it is louder than full scale"
      } else if there > Self.mostBits {
        warning = "its sound of \(there) bits a sample is kept with \(Self.mostBits)"
      } else {
        warning = nil
      }
    }
  }

  private static let floats = [
    AV_SAMPLE_FMT_FLT, AV_SAMPLE_FMT_FLTP, AV_SAMPLE_FMT_DBL, AV_SAMPLE_FMT_DBLP,
  ]

  var encoder: String { codec == .alac ? Self.alacEncoder : Self.aacEncoder }

  private var format: AVSampleFormat {
    switch bits {
    case nil: AV_SAMPLE_FMT_FLTP
    case 16: AV_SAMPLE_FMT_S16P
    default: AV_SAMPLE_FMT_S32P
    }
  }

  private var kilobits: CInt { channels == 1 ? 64 : 128 }

  func configure(_ context: inout AVCodecContext) {
    context.sample_rate = sampleRate
    context.sample_fmt = format
    av_channel_layout_default(&context.ch_layout, channels)
    context.time_base = AVRational(num: 1, den: sampleRate)
    if let bits {
      context.bits_per_raw_sample = CInt(bits)
    } else {
      context.bit_rate = Int64(kilobits) * 1000
    }
  }

  /// Gives the default channel names to a decoded frame whose channels have none. Lossless sound
  /// whose channels are not mixed gets them too, so that other names cannot lead to a mix.
  func name(_ frame: UnsafeMutablePointer<AVFrame>) {
    let count = frame.pointee.ch_layout.nb_channels
    guard
      frame.pointee.ch_layout.order == AV_CHANNEL_ORDER_UNSPEC
        || codec == .alac && count == channels
    else { return }
    av_channel_layout_uninit(&frame.pointee.ch_layout)
    av_channel_layout_default(&frame.pointee.ch_layout, count)
  }

  var filters: String {
    let format = av_get_sample_fmt_name(format).map { String(cString: $0) } ?? ""
    return mix + "aresample=\(sampleRate):async=1:min_hard_comp=\(SoundEncode.mostDrift),"
      + "aformat=sample_fmts=\(format):sample_rates=\(sampleRate)"
      + ":channel_layouts=\(channels == 1 ? "mono" : "stereo")"
  }

  /// The encoder's settings, as the conversion report records them.
  var settings: String {
    let quality = bits.map { "\($0) bits" } ?? "\(kilobits) kb/s"
    return "\(encoder) \(quality), \(sampleRate) Hz, \(channels) ch"
  }
}
