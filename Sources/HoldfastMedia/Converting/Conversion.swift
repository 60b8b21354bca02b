import CFFmpeg
import HoldfastModel

/// Makes the file that a plan describes. It reads the source once, and copies or encodes each
/// stream.
enum Conversion {
  static func run(
    _ plan: ConversionPlan, source: OpenMedia, output: OpenMedia,
    progress: @escaping @Sendable (Double) -> Void, call: RunningCall
  ) throws(HoldfastError) -> ConversionReport {
    let demuxer = try Demuxer.opening(source, for: plan, call: call)
    let origin = plan.keepsMetadata == true ? OriginTags(demuxer, for: plan) : nil
    let muxer = try Muxer(
      output, kind: .init(for: plan, from: demuxer), creationTime: plan.creationTime,
      origin: origin, call: call)
    var conversions: [Int: any StreamConversion] = [:]
    for stream in [plan.video, plan.audio].compactMap({ $0 }) {
      conversions[stream.index] = try naming(stream.index) { () throws(HoldfastError) in
        try conversion(of: stream, in: plan, from: demuxer, to: muxer) { () throws(HoldfastError) in
          try TruePeak.ceiling(for: stream, plan, of: source, call: call)
        }
      }
    }
    demuxer.discardStreams { !conversions.keys.contains($0) }
    try muxer.writeHeader()
    // If there are pictures, they are the output's first stream.
    if let video = plan.video, let end = plan.picturesEnd,
      let stream = muxer.context.pointee.streams[0]
    {
      try naming(video.index) { () throws(HoldfastError) in
        try muxer.endPictures(of: stream, at: end)
      }
    }

    var report = ConversionReport(plan: plan)
    report.keptMetadata = origin?.tags.keys.sorted()
    let packet = try Packet()
    let timeBases = demuxer.streams.map(\.timeBase)
    var meter = ProgressMeter(plan: plan, report: progress)
    reading: while true {
      switch try demuxer.read(into: packet.pointer) {
      case .end, .damage: break reading
      case .packet:
        let index = Int(packet.pointer.pointee.stream_index)
        guard let conversion = conversions[index] else { continue }
        meter.advance(to: packet.pointer, timeBase: timeBases[index])
        try naming(index) { () throws(HoldfastError) in try conversion.add(packet.pointer) }
        if conversion.isDone, conversions.values.allSatisfy(\.isDone) { break reading }
      }
    }
    for stream in [plan.video, plan.audio].compactMap({ $0 }) {
      try naming(stream.index) { () throws(HoldfastError) in
        try conversions[stream.index]?.finish()
      }
      conversions[stream.index]?.describe(in: &report)
    }
    try muxer.finish()
    meter.finish()
    report.versions = [
      "libavcodec": version(avcodec_version()), "libavformat": version(avformat_version()),
    ]
    if !report.settings.isEmpty { report.versions["libavfilter"] = version(avfilter_version()) }
    return report
  }

  /// Adds to an error the stream that it came from.
  private static func naming<Value>(
    _ stream: Int, _ work: () throws(HoldfastError) -> Value
  ) throws(HoldfastError) -> Value {
    do { return try work() } catch {
      var error = error
      error.stream = stream
      throw error
    }
  }

  private static func conversion(
    of planned: ConversionPlan.Stream, in plan: ConversionPlan, from demuxer: borrowing Demuxer,
    to muxer: Muxer, ceiling: () throws(HoldfastError) -> Float?
  ) throws(HoldfastError) -> any StreamConversion {
    let stream = try demuxer.stream(at: planned.index)
    if planned.isCopied {
      return try StreamCopy(stream, from: demuxer, plan, to: muxer)
    }
    if let picture = stream.describe(in: demuxer.context).picture {
      return try PictureEncode(stream, picture: picture, plan, to: muxer)
    }
    let ceiling = SoundTarget(planned, of: stream).mayGrow ? try ceiling() : nil
    return try SoundEncode(stream, plan, ceiling: ceiling, to: muxer)
  }

  static func version(_ number: UInt32) -> String {
    "\(number >> 16).\(number >> 8 & 0xFF).\(number & 0xFF)"
  }
}

/// Reports how much of a source is done, in steps of at least 1 %.
private struct ProgressMeter {
  let plan: ConversionPlan
  let report: @Sendable (Double) -> Void
  var last = 0.0

  mutating func advance(to packet: UnsafeMutablePointer<AVPacket>, timeBase: AVRational) {
    guard let time = packet.presentation ?? packet.decoding else { return }
    let done = (Double(time) * timeBase.seconds - plan.start.seconds) / plan.duration
    guard done >= last + 0.01 else { return }
    last = min(done, 1)
    report(last)
  }

  func finish() { report(1) }
}
