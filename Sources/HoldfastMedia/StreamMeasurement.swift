internal import CFFmpeg
internal import HoldfastModel

/// What the packets of one stream say of it, whatever its header says.
struct StreamMeasurement {
  let timeBase: AVRational
  private let isVideo: Bool
  private let sampleRate: CInt
  /// Ticks that one packet lasts when it does not say so itself.
  private let usualDuration: Int64

  private(set) var packets = 0
  private(set) var isEncrypted = false
  /// Presented start of the first packet, in ticks.
  private(set) var start: Int64?
  /// Whether decode times rise strictly and no presentation time occurs twice.
  private(set) var hasCleanTimes = true

  /// How often the decode time falls back by so much that what follows lies over what was before.
  private(set) var clockFalls = 0
  /// In seconds.
  private static let leastFall = 0.1

  /// What the packets must keep to, if they are H.264 or HEVC.
  private let parameterSets: ParameterSets?
  /// What a single packet, or two in a row, showed to be in the way of a copy.
  private var packetObstacle: String?
  private var presentations: Set<Int64> = []
  /// When each picture is shown, in the order of decoding, and which of them are keyframes.
  private var shown: [Int64] = []
  private var keyframes: [Int] = []
  private var lastDecoding: Int64?
  private var latestPresentation: Int64?
  private var latestEnd: Int64?
  private var lastDuration: Int64 = 0
  /// Ticks of priming that are still to be skipped.
  private var unskipped: Int64 = 0
  /// No priming is as long: whatever a file says, sums of it must not overflow.
  private static let mostUnskipped: Int64 = 1 << 56
  /// The latest presentation time of packets that are decoded but not shown: first of those met
  /// since the last one that is shown, then of those with a shown one behind them.
  private var latestUnshown: Int64?
  private var latestUnshownInside: Int64?

  /// - Parameter looksInside: Whether what is in the packets is looked at.
  init(
    of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>,
    looksInside: Bool = true
  ) {
    timeBase = stream.timeBase
    sampleRate = stream.parameters.pointee.sample_rate
    let parameters = stream.parameters.pointee
    isVideo = parameters.codec_type == AVMEDIA_TYPE_VIDEO
    parameterSets = looksInside ? ParameterSets(parameters) : nil
    let seconds =
      isVideo
      ? av_inv_q(av_guess_frame_rate(context, stream, nil))
      : AVRational(num: parameters.frame_size, den: parameters.sample_rate)
    usualDuration =
      seconds.num > 0 && seconds.den > 0 ? Int64(1).rescaled(from: seconds, to: timeBase) : 0
  }

  /// Presented end of the last packet, in ticks.
  ///
  /// FFmpeg's mov demuxer gives reordered pictures a duration by the rate that their codec claims,
  /// which for variable rates may be a tick. A last picture that differs from the others by more
  /// than half is taken to last as long as they do on average.
  var end: Int64? {
    guard isVideo, shown.count > 1, let start, let latestPresentation, let latestEnd else {
      return latestEnd
    }
    let usual = (latestPresentation - start) / Int64(shown.count - 1)
    let last = latestEnd - latestPresentation
    return last < usual / 2 || last > usual * 2 ? latestPresentation + usual : latestEnd
  }

  var duration: Double? {
    guard let start, let end else { return nil }
    return Double(end - start) * timeBase.seconds
  }

  /// When the pictures are shown; `nil` for sound.
  var pictures: PictureTimes? {
    guard isVideo, let end else { return nil }
    return PictureTimes(
      numerator: timeBase.num, denominator: timeBase.den, shown: shown, keyframes: keyframes,
      end: end)
  }

  /// Why the packets cannot be copied as they are; `nil` if they can.
  var copyObstacle: String? {
    if let packetObstacle { return packetObstacle }
    // What is not shown and lies before the start is hidden by the output's own edit list, and
    // what comes last is left out. What others refer to, but is shown never, cannot be hidden.
    if let latestUnshownInside, let start, latestUnshownInside >= start {
      return "an edit list hides pictures that others need"
    }
    return nil
  }

  /// Takes the next packet of the stream into account.
  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>) {
    let isFirst = packets == 0
    packets += 1
    if packet.hasSideData(AV_PKT_DATA_ENCRYPTION_INFO) { isEncrypted = true }
    if !isFirst, packet.hasSideData(AV_PKT_DATA_NEW_EXTRADATA) {
      packetObstacle = packetObstacle ?? "its parameter sets change on the way"
    }
    if packetObstacle == nil, let finding = parameterSets?.examine(packet) {
      switch finding {
      case .kept: break
      case .changed: packetObstacle = "its parameter sets change on the way"
      case .damaged: packetObstacle = "it is damaged at picture \(packets)"
      }
    }
    if packet.presentation == nil {
      packetObstacle = packetObstacle ?? "it has no presentation times"
    }
    checkTimes(of: packet)

    let duration = packet.duration > 0 ? packet.duration : usualDuration
    // The decoder goes on skipping in the next packets what one is too short for.
    let skipped = packet.skippedSamples
    unskipped = min(unskipped + inTicks(skipped.atStart), Self.mostUnskipped)
    let skippedHere = min(unskipped, duration)
    unskipped -= skippedHere

    guard let time = packet.presentation ?? packet.decoding else { return }
    guard !packet.isDiscarded else {
      latestUnshown = max(latestUnshown ?? time, time)
      return
    }
    if let latest = latestUnshown {
      latestUnshownInside = max(latestUnshownInside ?? latest, latest)
      latestUnshown = nil
    }
    // Priming through and through: nothing of it is heard.
    guard skippedHere == 0 || skippedHere < duration else { return }
    let presentedStart = time + skippedHere
    // Some demuxers take the padding off the duration as well, others leave that to the decoder.
    let whole = max(duration, lastDuration)
    let presentedEnd = time + max(0, min(duration, whole - inTicks(skipped.atEnd)))
    lastDuration = duration
    start = min(start ?? presentedStart, presentedStart)
    latestEnd = max(latestEnd ?? presentedEnd, presentedEnd)
    latestPresentation = max(latestPresentation ?? time, time)
    if isVideo {
      if packet.isKeyframe { keyframes.append(shown.count) }
      shown.append(time)
    }
  }

  private mutating func checkTimes(of packet: UnsafeMutablePointer<AVPacket>) {
    if let decoding = packet.decoding {
      if let lastDecoding, Double(lastDecoding - decoding) * timeBase.seconds > Self.leastFall {
        clockFalls += 1
      }
      if let lastDecoding, decoding <= lastDecoding {
        hasCleanTimes = false
        packetObstacle = packetObstacle ?? "its decode times do not rise"
      }
      lastDecoding = decoding
    }
    if let presentation = packet.presentation, !presentations.insert(presentation).inserted {
      hasCleanTimes = false
      packetObstacle = packetObstacle ?? "two of its packets share a presentation time"
    }
  }

  private func inTicks(_ samples: Int64) -> Int64 {
    guard samples > 0, sampleRate > 0 else { return 0 }
    return samples.rescaled(from: AVRational(num: 1, den: sampleRate), to: timeBase)
  }
}
