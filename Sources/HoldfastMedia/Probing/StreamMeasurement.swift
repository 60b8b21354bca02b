import CFFmpeg
import HoldfastModel

/// Measurements of one stream's packets, independent of its header.
struct StreamMeasurement {
  let timeBase: AVRational
  private let isVideo: Bool
  private let sampleRate: CInt
  /// The duration of a packet that does not name its own, in ticks; 0 if unknown.
  private let usualDuration: Int64

  private(set) var packets = 0
  private(set) var isEncrypted = false
  /// The earliest time at which something is presented, in ticks.
  private(set) var start: Int64?
  /// Whether decode times always rise and no presentation time occurs twice.
  private(set) var hasCleanTimes = true

  /// The ticks by which decode times must be earlier so that none is after its presentation time.
  ///
  /// FFmpeg's mov demuxer gives such times if the last composition offsets are smaller than the
  /// first, as in short clips from Apple devices. FFmpeg's muxer refuses these times.
  private(set) var decodingExcess: Int64 = 0

  /// The number of falls of the decode time after which packets overlap earlier ones.
  private(set) var clockFalls = 0
  /// The smallest such fall, in seconds.
  private static let leastFall = 0.1

  /// The parameter sets that the packets must keep to, if they are H.264 or HEVC.
  private let parameterSets: ParameterSets?
  private let fields: FieldPictures?
  /// The configuration that AAC's packets must keep to, if they name one.
  private var soundConfiguration: SoundConfiguration
  /// The header's configuration, which the packets of a copy must not change.
  private let extradata: [UInt8]
  /// The reason why packets cannot be copied, as a single packet or two in a row showed.
  private var packetObstacle: String?
  private var presentations: Set<Int64> = []
  /// When each picture is shown, in decoding order. ``keyframes`` says which of them are keyframes.
  private var shown: [Int64] = []
  private var keyframes: [Int] = []
  private var hasKeyframe = false
  /// When the pictures are shown that come before the first keyframe in decoding order.
  private var beforeKeyframe: [Int64] = []
  private var lastDecoding: Int64?
  private var latestPresentation: Int64?
  private var latestEnd: Int64?
  private var longestDuration: Int64 = 0
  /// Whether nothing says how long the last packet is.
  private var lastsUnknown = false
  /// The ticks of priming that are still to be skipped.
  private var unskipped: Int64 = 0
  /// More than any priming. Sums of it do not overflow, whatever a file says.
  private static let mostUnskipped: Int64 = 1 << 56
  /// The presentation times of packets that are decoded but not shown. ``unshown`` has those since
  /// the last packet that is shown. ``unshownInside`` has those before a packet that is shown and
  /// may need them.
  private var unshown: [Int64] = []
  private var unshownInside: [Int64] = []
  /// The stream's duration by its sample table and its edit list, in ticks; `nil` if there is none,
  /// or the stream was not read to its end.
  private var tableDuration: Int64?
  /// When the pictures of an Ogg end by the file's last time, in ticks; `nil` in other files.
  /// Theora repeats a picture by an empty packet, which FFmpeg does not pass on.
  private var repeatedUntil: Int64?
  /// The ticks for which an edit list shows nothing before the stream begins.
  private var emptyEdit: Int64 = 0
  /// The duration that the file claims, in ticks; `nil` if it claims none.
  private var claimedDuration: Int64?

  init(
    of stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>,
    looksInside: Bool = true
  ) {
    timeBase = stream.timeBase
    sampleRate = stream.parameters.pointee.sample_rate
    let parameters = stream.parameters.pointee
    isVideo = parameters.codec_type == AVMEDIA_TYPE_VIDEO
    parameterSets = looksInside ? ParameterSets(parameters) : nil
    fields =
      parameterSets?.followsStartCodes == true ? FieldPictures(stream.parameters) : nil
    soundConfiguration = SoundConfiguration(parameters)
    extradata = Array(
      UnsafeBufferPointer(start: parameters.extradata, count: Int(parameters.extradata_size)))
    let seconds =
      isVideo
      ? av_inv_q(av_guess_frame_rate(context, stream, nil))
      : AVRational(num: parameters.frame_size, den: parameters.sample_rate)
    usualDuration =
      seconds.num > 0 && seconds.den > 0 ? Int64(1).rescaled(from: seconds, to: timeBase) : 0
  }

  /// The presented end of the stream, in ticks.
  ///
  /// The sample table of an MP4 says how much of the last packet of sound is heard, and until when
  /// the last picture is shown. That may be long, because phones write a single picture for as long
  /// as nothing moves. ``allows(_:)`` says which ends are believed.
  ///
  /// In other files, FFmpeg may have guessed the last picture's duration from the rate that the
  /// codec claims. If it is less than half or more than twice the average, the average is used
  /// instead, unless the file's own duration confirms it.
  var end: Int64? {
    guard let start, let latestPresentation, let latestEnd else { return nil }
    guard isVideo else { return soundEnd }
    if let tableEnd, allows(tableEnd) { return min(tableEnd, firstHiddenBehind ?? .max) }
    if let repeatedUntil, repeatedUntil > latestEnd { return repeatedUntil }
    guard shown.count > 1 else { return latestEnd }
    let usual = (latestPresentation - start) / Int64(shown.count - 1)
    let last = latestEnd - latestPresentation
    if last > 1, let claimedDuration, abs(latestEnd - start - claimedDuration) <= tolerance {
      return latestEnd
    }
    if last < usual / 2 { return latestPresentation + usual }
    let isClaimed = claimedDuration.map { latestEnd - start <= $0 + usual } ?? false
    return last <= usual * 2 || isClaimed ? latestEnd : latestPresentation + usual
  }

  /// When sound ends, in ticks: after its last packet, or in it, by the sample table of an MP4.
  ///
  /// If sound starts late, FFmpeg shortens the last packet by the time before, or does not know its
  /// length. The table then counts from the first packet.
  private var soundEnd: Int64? {
    let end = lastsUnknown ? unknownEnd : latestEnd
    let late = max(0, presentations.min() ?? 0)
    guard let end, let latestPresentation, let tableDuration,
      (1...max(1, longestDuration)).contains(late + tableDuration - latestPresentation)
    else { return end }
    return late > 0 ? late + tableDuration : min(end, tableDuration)
  }

  /// When the stream ends by its sample table and its edit list, in ticks; `nil` if these say
  /// nothing.
  ///
  /// FFmpeg reports the shorter of two lengths: that of the media, and that of all edits together.
  /// After an empty edit, the first counts from the first picture, and the second from the
  /// beginning of the file.
  private var tableEnd: Int64? {
    guard let tableDuration, let start, let latestPresentation else { return nil }
    let byMedia = start + tableDuration
    guard emptyEdit > 0, latestPresentation < tableDuration else { return byMedia }
    let byEdits = tableDuration
    if let claimedDuration, claimedDuration < byMedia - tolerance { return byEdits }
    if firstHiddenBehind != nil { return byMedia }
    let usual = (latestPresentation - start) / Int64(max(1, shown.count - 1))
    return byEdits - latestPresentation <= usual * 2 ? byEdits : byMedia
  }

  /// When sound ends whose packets name no duration, as those of some WMA: when the file says that
  /// it ends, if one more packet or two may last until then, or else after one more packet.
  private var unknownEnd: Int64? {
    guard let start, let latestPresentation else { return nil }
    let usual = (latestPresentation - start) / Int64(max(1, packets - 1))
    let claimed = claimedDuration.map { start + $0 } ?? latestPresentation
    let isClaimed = claimed > latestPresentation
    if packets == 1 {
      let seconds = Double(claimed - latestPresentation) * timeBase.seconds
      return isClaimed && seconds <= Self.longestPacket ? claimed : latestPresentation
    }
    return isClaimed && claimed - latestPresentation <= usual * 2
      ? claimed : latestPresentation + usual
  }

  /// The longest believable packet of sound, in seconds.
  private static let longestPacket = 10.0

  /// The difference within which two lengths count as equal, in ticks: 0.05 s.
  private var tolerance: Int64 {
    timeBase.seconds > 0 ? Int64(min(0.05 / timeBase.seconds, 0x1p40)) : 0
  }

  /// Whether the last picture may be shown until `end`. It must be shown for more than one tick.
  /// The end may exceed the file's own duration, but not by so much that the rest of the pictures
  /// would fit in there again.
  private func allows(_ end: Int64) -> Bool {
    guard let start, let latestPresentation, end > latestPresentation + 1 else { return false }
    guard let claimedDuration else { return true }
    return end - start - claimedDuration <= max(latestPresentation - start, usualDuration)
  }

  /// When the first picture after the last one shown would be presented, if an edit list did not
  /// hide it; `nil` if there is none.
  private var firstHiddenBehind: Int64? {
    guard let latestPresentation else { return nil }
    return (unshownInside + unshown).lazy.filter { $0 > latestPresentation }.min()
  }

  var duration: Double? {
    guard let start, let end else { return nil }
    return Double(end - start) * timeBase.seconds
  }

  /// The times of the pictures; `nil` for sound.
  var pictures: PictureTimes? {
    guard isVideo, let end else { return nil }
    return PictureTimes(
      numerator: timeBase.num, denominator: timeBase.den, shown: shown, keyframes: keyframes,
      end: end)
  }

  /// The reason why the packets cannot be copied as they are; `nil` if they can.
  var copyObstacle: String? {
    if let packetObstacle { return packetObstacle }
    // The output's own edit list hides packets that are not shown, before the start or after the
    // last picture shown. Those that come last in the file are left out.
    if let start, let latestPresentation,
      unshownInside.contains(where: { start <= $0 && $0 <= latestPresentation })
    {
      return "an edit list hides pictures in the middle that others need"
    }
    return nil
  }

  var largestSound: SoundFormat? { soundConfiguration.largest }
  var shownPackets: Int { shown.count }

  /// Returns how many pictures come before the first keyframe and are shown before `time`, when the
  /// first picture that decodes is shown.
  func picturesLost(before time: Int64) -> Int { beforeKeyframe.count { $0 < time } }

  /// Whether packets are hidden before the first that is shown.
  var hidesStart: Bool {
    guard let start else { return false }
    return unshownInside.contains { $0 < start }
  }

  mutating func add(_ packet: UnsafeMutablePointer<AVPacket>) {
    packets += 1
    if packet.sideData(AV_PKT_DATA_ENCRYPTION_INFO) != nil { isEncrypted = true }
    if let finding = soundConfiguration.examine(packet) {
      packetObstacle = packetObstacle ?? finding
    }
    if let bytes = packet.sideData(AV_PKT_DATA_NEW_EXTRADATA), !bytes.elementsEqual(extradata) {
      let change = isVideo ? "parameter sets change" : "configuration changes"
      packetObstacle = packetObstacle ?? "its \(change) partway"
    }
    if packetObstacle == nil, let finding = parameterSets?.examine(packet) {
      switch finding {
      case .kept: break
      case .changed: packetObstacle = "its parameter sets change partway"
      case .damaged: packetObstacle = "it is damaged at picture \(packets)"
      }
    }
    if isVideo, packetObstacle == nil, parameterSets?.followsStartCodes == true {
      if packets == 1, !packet.isKeyframe { packetObstacle = "it does not begin with a keyframe" }
      if packet.isCorrupt { packetObstacle = "its stream breaks at picture \(packets)" }
      if fields?.isField(packet) == true {
        packetObstacle = "each of its packets holds one field of a picture"
      }
    }
    if packet.presentation == nil {
      packetObstacle = packetObstacle ?? "it has no presentation times"
    }
    checkTimes(of: packet)

    let skipped = packet.skippedSamples
    // Of a packet that is padding as a whole, nothing is presented.
    let duration = packet.duration > 0 || skipped.atEnd > 0 ? packet.duration : usualDuration
    // If a packet is too short, the decoder goes on skipping in the packets that follow.
    unskipped = min(unskipped + inTicks(skipped.atStart), Self.mostUnskipped)
    let skippedHere = min(unskipped, duration)
    unskipped -= skippedHere

    guard let time = packet.presentation ?? packet.decoding else { return }
    guard !packet.isDiscarded else {
      unshown.append(time)
      return
    }
    unshownInside += unshown
    unshown = []
    // All of this packet is priming, so nothing of it is heard.
    guard skippedHere == 0 || skippedHere < duration else { return }
    let presentedStart = time + skippedHere
    let presentedEnd = time + duration
    longestDuration = max(longestDuration, duration)
    lastsUnknown = duration == 0 && skipped.atEnd == 0
    start = min(start ?? presentedStart, presentedStart)
    latestEnd = max(latestEnd ?? presentedEnd, presentedEnd)
    latestPresentation = max(latestPresentation ?? time, time)
    if isVideo {
      if packet.isKeyframe { keyframes.append(shown.count) }
      shown.append(time)
      hasKeyframe = hasKeyframe || packet.isKeyframe
      if !hasKeyframe { beforeKeyframe.append(time) }
    }
  }

  /// The longest beginning that a decoder may swallow, in seconds. If more is missing, that is
  /// damage.
  private static let longestStart = 1.0

  /// Moves the presented start to the time of the decoder's first output, if that is shortly after
  /// it.
  mutating func begin(noEarlierThan time: Int64) {
    guard let start, let end, start <= time, time < end,
      Double(time - start) * timeBase.seconds <= Self.longestStart
    else { return }
    self.start = time
  }

  /// Adds the file's figures for the stream as a whole. Call it after all packets were read: FFmpeg
  /// may have learnt more on the way.
  mutating func finish(
    _ stream: UnsafeMutablePointer<AVStream>, in demuxer: borrowing Demuxer
  ) {
    if let seconds = demuxer.claimedDuration, !demuxer.guessesDuration, timeBase.seconds > 0 {
      claimedDuration = Int64(min(seconds / timeBase.seconds, 0x1p56))
    }
    // If a file was cut off, its table names pictures that are not there.
    if demuxer.container == "ogg", let start, let duration = Int64(ticks: stream.pointee.duration) {
      repeatedUntil = start + duration
    }
    guard demuxer.container == "mov", packets == Int(avformat_index_get_entries_count(stream)),
      let duration = Int64(ticks: stream.pointee.duration), duration > 0
    else { return }
    tableDuration = duration
    emptyEdit = max(0, Int64(ticks: stream.pointee.start_time) ?? 0)
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
      if let presentation = packet.presentation {
        decodingExcess = max(decodingExcess, decoding - presentation)
      }
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
