import CFFmpeg
import HoldfastModel

/// Opens an output again and compares it with its plan and its source.
enum OutputCheck {
  /// The tolerance for the duration, in seconds.
  private static let durationTolerance = 0.1

  static func run(
    _ report: ConversionReport, source: OpenMedia, output: OpenMedia, call: RunningCall
  ) throws(HoldfastError) -> CheckReport {
    // Only packets are compared. If the header describes them well enough, nothing is decoded.
    let original = try Demuxer.opening(
      source, description: .index, for: report.plan, call: call)
    let written = try Demuxer(output, description: .index, call: call)
    let streams = try pair(written, with: original, report: report)
    try read(written, streams)
    for stream in streams {
      do throws(HoldfastError) { try stream.verify(report) } catch {
        var error = error
        if stream.planned.isCopied { error.stream = stream.planned.index }
        throw error
      }
    }
    let duration = try verifyDuration(report, streams)
    // Players use the duration in the header.
    let claimed = try MovieIndex(output).length()
    guard let claimed, abs(claimed - duration) <= durationTolerance else {
      throw .failedCheck(
        "its header says \(claimed.map { "\($0.tenthsRoundedUp) s" } ?? "nothing") instead of "
          + "\(duration.tenthsRoundedUp) s")
    }

    let copies = streams.filter(\.planned.isCopied)
    if !copies.isEmpty { try compare(copies, with: original, report.plan) }

    let video = streams.first { $0.picture != nil }
    var check = CheckReport(duration: duration)
    check.width = video?.picture?.width
    check.height = video?.picture?.height
    check.pictures = video?.measurement.packets
    check.packetsCompared = copies.reduce(0) { $0 + $1.packets.records.count }
    check.picture = video?.picture
    check.sound = streams.lazy.compactMap(\.sound).first
    check.descriptions = written.descriptions(ofStream: video.map { Int($0.index) })
    check.codecs = CodecStrings(written)
    return check
  }

  /// Pairs each stream of the output with the source's stream that it was made from.
  private static func pair(
    _ written: borrowing Demuxer, with original: borrowing Demuxer, report: ConversionReport
  ) throws(HoldfastError) -> [CheckedStream] {
    let planned = [report.plan.video, report.plan.audio].compactMap { $0 }
    let outputs = written.streams
    guard outputs.count == planned.count else {
      throw .failedCheck("\(outputs.count) streams were written instead of \(planned.count)")
    }
    var checked: [CheckedStream] = []
    for (planned, output) in zip(planned, outputs) {
      let input = try original.stream(at: planned.index)
      let found = output.describe(in: written.context)
      let expected = input.describe(in: original.context)
      guard found.kind == expected.kind else {
        throw .failedCheck("stream \(found.index) is \(found.kind) instead of \(expected.kind)")
      }
      let encoded =
        found.kind == .video
        ? (report.encodedCodec ?? .h264).rawValue : (planned.soundCodec ?? .aac).rawValue
      let codec = planned.isCopied ? expected.codec : encoded
      guard found.codec == codec else {
        throw .failedCheck("stream \(found.index) is \(found.codec) instead of \(codec)")
      }
      if let picture = found.picture, let source = expected.picture {
        try verifyShape(picture, of: source, planned: planned, report: report)
      }
      checked.append(
        try CheckedStream(
          planned, output: output, in: written.context, found,
          decodesCopy: Demuxer.unindexed.contains(original.container),
          hasStartCodes: StartCodes(input.parameters.pointee) != nil))
    }
    return checked
  }

  private static func verifyShape(
    _ picture: PictureFormat, of source: PictureFormat, planned: ConversionPlan.Stream,
    report: ConversionReport
  ) throws(HoldfastError) {
    let expected =
      planned.isCopied
      ? PictureSize(width: source.width, height: source.height) : report.encodedSize
    let found = PictureSize(width: picture.width, height: picture.height)
    guard found == expected else {
      throw .failedCheck(
        "its picture is \(found.width) × \(found.height) instead of "
          + "\(expected?.width ?? 0) × \(expected?.height ?? 0)")
    }
    guard
      planned.isCopied || report.encodedCodec != .hevc || source.dynamicRange == .sdr
        || picture.dynamicRange == source.dynamicRange
    else {
      throw .failedCheck(
        "its picture is in \(picture.dynamicRange.rawValue) instead of "
          + source.dynamicRange.rawValue)
    }
    let orientation = planned.isCopied ? source.orientation : .upright
    guard picture.orientation == orientation else {
      throw .failedCheck(
        "its picture is turned by \(picture.orientation.clockwise)° instead of "
          + "\(orientation.clockwise)°")
    }
  }

  private static func read(
    _ written: borrowing Demuxer, _ streams: [CheckedStream]
  ) throws(HoldfastError) {
    let packet = try Packet()
    while true {
      switch try written.read(into: packet.pointer) {
      case .end:
        for stream in streams { try stream.finish(in: written) }
        return
      case .damage: throw .failedCheck("the output cannot be read to its end")
      case .packet:
        try streams.first { $0.index == packet.pointer.pointee.stream_index }?
          .add(packet.pointer)
      }
    }
  }

  private static func verifyDuration(
    _ report: ConversionReport, _ streams: [CheckedStream]
  ) throws(HoldfastError) -> Double {
    var start = Double.infinity
    var end = -Double.infinity
    for stream in streams {
      guard let first = stream.measurement.start, let last = stream.measurement.end else {
        throw .failedCheck("stream \(stream.index) is empty")
      }
      start = min(start, Double(first) * stream.measurement.timeBase.seconds)
      end = max(end, Double(last) * stream.measurement.timeBase.seconds)
    }
    let duration = end - start
    // WMA packets claim less than they decode to, and damaged packets claim more.
    var expected = [report.plan.duration]
    if let end = report.encodedSoundEnd { expected.append(end) }
    if report.damagedPackets != nil, let end = report.encodedPicturesEnd { expected.append(end) }
    guard expected.contains(where: { abs(duration - $0) <= durationTolerance }) else {
      throw .failedCheck(
        "it lasts \(duration.tenthsRoundedUp) s instead of "
          + "\(report.plan.duration.tenthsRoundedUp) s")
    }
    guard duration > 0 else { throw .failedCheck("nothing of it is presented") }
    guard duration <= RecordingLimit.longest else { throw .overLimit(seconds: duration) }
    return duration
  }

  /// Reads the source again and compares each copied packet with it.
  private static func compare(
    _ copies: [CheckedStream], with original: borrowing Demuxer, _ plan: ConversionPlan
  ) throws(HoldfastError) {
    let indices = Set(copies.map(\.planned.index))
    let read = original.bridge != nil ? [plan.video, plan.audio].compactMap(\.?.index) : []
    original.discardStreams { !indices.contains($0) && !read.contains($0) }
    var sequences: [Int: PacketSequence] = [:]
    var selections: [Int: PacketSelection] = [:]
    var filters: [Int: ADTSFilter] = [:]
    for index in indices {
      let stream = try original.stream(at: index)
      let stretch = StreamStretch(plan, timeBase: stream.timeBase)
      let isVideo = index == plan.video?.index
      sequences[index] = PacketSequence(
        timeBase: stream.timeBase, zero: stretch.zero,
        decodingShift: isVideo ? plan.video?.decodingShift ?? 0 : 0, isVideo: isVideo)
      sequences[index]?.startCodes = StartCodes(stream.parameters.pointee)
      selections[index] = PacketSelection(stretch, of: stream)
      if stream.parameters.pointee.codec_id == AV_CODEC_ID_AAC,
        stream.parameters.pointee.extradata_size == 0
      {
        filters[index] = try ADTSFilter(stream)
      }
    }
    let hash = try check(av_murmur3_alloc(), "compare the packets")
    defer { av_free(UnsafeMutableRawPointer(hash)) }
    let packet = try Packet()
    while !selections.values.allSatisfy(\.isOver),
      case .packet = try original.read(into: packet.pointer)
    {
      let index = Int(packet.pointer.pointee.stream_index)
      guard selections[index]?.includes(packet.pointer) == true else { continue }
      try filters[index]?.apply(to: packet.pointer)
      sequences[index]?.append(packet.pointer, hash: hash)
    }
    for copy in copies {
      guard var source = sequences[copy.planned.index] else { continue }
      source.finish()
      if let difference = copy.packets.firstDifference(from: source) {
        throw .failedCheck("a copied stream differs from its source: \(difference)")
      }
    }
  }
}

extension HoldfastError {
  static func failedCheck(_ finding: String) -> HoldfastError {
    HoldfastError(.checkFailed, "the check of what was written failed: \(finding)")
  }
}
