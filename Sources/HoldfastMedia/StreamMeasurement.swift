internal import CFFmpeg
internal import HoldfastModel

/// What the packets of one stream say of it, whatever its header says.
struct StreamMeasurement {
  let timeBase: AVRational
  /// Ticks that one packet lasts when it does not say so itself.
  let usualDuration: Int64
  let sampleRate: CInt

  private(set) var packets = 0
  /// Presented start of the first packet, in ticks.
  private(set) var start: Int64?
  /// Presented end of the last packet, in ticks.
  private(set) var end: Int64?
  private(set) var isEncrypted = false
  /// Why the packets cannot be copied as they are.
  private(set) var copyObstacle: String?
  /// Whether decode times rise strictly and no presentation time occurs twice.
  private(set) var hasCleanTimes = true

  private var lastDecoding: Int64?
  private var presentations: Set<Int64> = []

  init(of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>)
  {
    timeBase = stream.timeBase
    sampleRate = stream.parameters.pointee.sample_rate
    let parameters = stream.parameters.pointee
    let seconds: AVRational
    if parameters.codec_type == AVMEDIA_TYPE_VIDEO {
      seconds = av_inv_q(av_guess_frame_rate(context, stream, nil))
    } else {
      seconds = AVRational(num: parameters.frame_size, den: parameters.sample_rate)
    }
    usualDuration =
      seconds.num > 0 && seconds.den > 0 ? Int64(1).rescaled(from: seconds, to: timeBase) : 0
  }

  var duration: Double? {
    guard let start, let end else { return nil }
    return Double(end - start) * timeBase.seconds
  }

  /// Takes the next packet of the stream into account.
  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>) {
    let isFirst = packets == 0
    packets += 1
    if packet.hasSideData(AV_PKT_DATA_ENCRYPTION_INFO) { isEncrypted = true }
    if !isFirst, packet.hasSideData(AV_PKT_DATA_NEW_EXTRADATA) {
      copyObstacle = copyObstacle ?? "its parameter sets change on the way"
    }
    if packet.presentation == nil {
      copyObstacle = copyObstacle ?? "it has no presentation times"
    }
    checkTimes(of: packet)

    guard let time = packet.presentation ?? packet.decoding else { return }
    guard !packet.isDiscarded else {
      if start != nil {
        copyObstacle = copyObstacle ?? "an edit list leaves out pictures in its middle"
      }
      return
    }
    let duration = packet.pointee.duration > 0 ? packet.pointee.duration : usualDuration
    let skipped = packet.skippedSamples
    let presentedStart = time + min(inTicks(skipped.atStart), duration)
    let presentedEnd = time + max(0, duration - inTicks(skipped.atEnd))
    start = min(start ?? presentedStart, presentedStart)
    end = max(end ?? presentedEnd, presentedEnd)
  }

  private mutating func checkTimes(of packet: UnsafeMutablePointer<AVPacket>) {
    if let decoding = packet.decoding {
      if let lastDecoding, decoding <= lastDecoding {
        hasCleanTimes = false
        copyObstacle = copyObstacle ?? "its decode times do not rise"
      }
      lastDecoding = decoding
    }
    if let presentation = packet.presentation, !presentations.insert(presentation).inserted {
      hasCleanTimes = false
      copyObstacle = copyObstacle ?? "two of its packets share a presentation time"
    }
  }

  private func inTicks(_ samples: Int64) -> Int64 {
    guard samples > 0, sampleRate > 0 else { return 0 }
    return samples.rescaled(from: AVRational(num: 1, den: sampleRate), to: timeBase)
  }
}
