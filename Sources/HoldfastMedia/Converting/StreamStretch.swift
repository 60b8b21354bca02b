import CFFmpeg
import HoldfastModel

/// A plan's stretch of one stream, in the stream's ticks.
struct StreamStretch {
  /// The time that becomes 0 in the output.
  let zero: Int64
  /// The beginning of the stretch; `nil` for the stream's own beginning.
  let from: Int64?
  /// The end of the stretch; `nil` for the stream's own end.
  let until: Int64?

  init(_ plan: ConversionPlan, timeBase: AVRational) {
    zero = plan.start.ticks(of: timeBase)
    from = plan.stretch?.from?.ticks(of: timeBase)
    until = plan.stretch?.until?.ticks(of: timeBase)
    decodingFrom = plan.stretch?.decodingFrom?.ticks(of: timeBase)
  }

  /// The keyframe from which pictures must be decoded; `nil` for the stream's beginning.
  let decodingFrom: Int64?
  /// The seconds of sound that must be decoded before a stretch. After that, the decoder gives
  /// correct sound.
  private static let soundLead = 1.0

  /// Whether a packet of sound is so far before the stretch that it need not be decoded.
  func isFarBefore(_ packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) -> Bool {
    guard let from, let time = packet.presentation ?? packet.decoding else { return false }
    return Double(from - time - packet.duration) * timeBase.seconds > Self.soundLead
  }

  /// Returns how long something at `time` lasts if it must end with the stretch.
  func duration(_ duration: Int64, at time: Int64) -> Int64 {
    until.map { max(0, min(duration, $0 - time)) } ?? duration
  }
}

/// Chooses the packets that are copied: those of a stretch, and before it the sound that its
/// decoder needs to start.
struct PacketSelection {
  /// The packets that AAC's decoder needs before the stretch, because its frames overlap. HE-AAC's
  /// frames are delayed by another half. A player does not play these packets, because they are
  /// before the output's start.
  private static let aacPreroll: Int64 = 2

  private let stretch: StreamStretch
  private let isVideo: Bool
  private let preroll: Int64
  private var hasBegun: Bool
  private(set) var isOver = false

  init(_ stretch: StreamStretch, of stream: UnsafeMutablePointer<AVStream>) {
    self.stretch = stretch
    let parameters = stream.parameters.pointee
    isVideo = parameters.codec_type == AVMEDIA_TYPE_VIDEO
    preroll = parameters.codec_id == AV_CODEC_ID_AAC ? Self.aacPreroll : 0
    hasBegun = stretch.from == nil
  }

  /// Whether the next packet of the stream is copied.
  mutating func includes(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
    guard !isOver else { return false }
    guard let time = packet.presentation ?? packet.decoding else { return hasBegun }
    if let until = stretch.until, time >= until {
      // Packets come in decoding order, so later ones may refer to packets that are left out.
      isOver = true
      return false
    }
    if !hasBegun, let from = stretch.from {
      hasBegun =
        isVideo
        ? packet.isKeyframe && time >= from
        : time + packet.duration * (1 + preroll) > from
    }
    return hasBegun
  }
}

extension Demuxer {
  /// The seconds before a stretch at which reading begins. Sound in that time is decoded, but not
  /// heard.
  private static let lead = 1.0

  /// Opens `source` shortly before the stretch of `plan`, if the container has an index. Without an
  /// index, or with a wrong one, opens it at its beginning.
  static func opening(
    _ source: OpenMedia, description: Description = .whole, for plan: ConversionPlan,
    call: RunningCall
  ) throws(HoldfastError) -> Demuxer {
    let demuxer = try Demuxer(source, description: description, call: call)
    guard let from = plan.stretch?.from, ["mov", "matroska"].contains(demuxer.container),
      let index = plan.video?.index ?? plan.audio?.index
    else { return demuxer }
    let timeBase = try demuxer.stream(at: index).timeBase
    let lead = Int64((Self.lead / timeBase.seconds).rounded(.up))
    let target = from.ticks(of: timeBase) - lead
    guard try demuxer.seek(index, to: target, notBehind: target + lead) else {
      return try Demuxer(source, description: description, call: call)
    }
    return demuxer
  }

  /// Seeks to the keyframe at or before a time. Returns whether the seek ended at or before
  /// `latest`: a stream offers no place before its first packet, and some indexes name places after
  /// the times that they are for.
  private func seek(
    _ index: Int, to target: Int64, notBehind latest: Int64
  ) throws(HoldfastError) -> Bool {
    guard seek(stream: index, to: target) else {
      return false
    }
    let packet = try Packet()
    while case .packet = try read(into: packet.pointer) {
      guard Int(packet.pointer.pointee.stream_index) == index else { continue }
      let time = packet.pointer.decoding ?? packet.pointer.presentation ?? .max
      return time <= latest
        && seek(stream: index, to: target)
    }
    return false
  }
}
