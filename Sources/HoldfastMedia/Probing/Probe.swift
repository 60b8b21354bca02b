import CFFmpeg
import HoldfastModel

/// Determines the content of a file, first from its header and then from its packets.
struct Probe {
  /// The most streams that are examined. No phone makes more.
  private static let mostStreams = 16

  /// The longest source, in seconds, that is decoded to see whether it is damaged. A recording can
  /// be made of a longer one only if it is trimmed or split.
  private static let longestDecoded = 600.0

  /// Throws if the file is refused, or holds nothing that can be imported.
  static func run(
    _ source: OpenMedia, depth: ProbeDepth, call: RunningCall
  ) throws(HoldfastError) -> MediaInfo {
    if depth == .metadata,
      try AcceptedContainers.firstBytes(of: source).starts(with: [0xFF, 0xD8])
    {
      var info = MediaInfo(container: "jpeg", fileSize: try regularFileSize(source))
      info.extras = try JPEGExtras.names(in: source)
      return info
    }
    let demuxer = try Demuxer(
      source, namesExtras: depth == .metadata, description: description(depth), call: call)
    var info = header(demuxer)
    switch depth {
    case .header:
      try info.chooseStreams()
    case .metadata:
      info.extras = try FileExtras.names(in: demuxer)
    case .index, .packets, .decoded:
      let reading = try measure(demuxer, depth, into: &info)
      let mixed = mixedStreams(demuxer, source)
      for position in info.streams.indices where mixed.contains(info.streams[position].index) {
        info.streams[position].copyObstacle =
          info.streams[position].copyObstacle ?? "its codec changes partway"
      }
      // The index is believed only if the file is undamaged. Otherwise every packet is read.
      if depth == .index, demuxer.isKnownByIndex,
        !reading.damage(in: demuxer, to: reading.streams.keys).isEmpty
      {
        return try run(source, depth: .packets, call: call)
      }
      try info.chooseStreams()
      let claimed = demuxer.guessesDuration ? nil : info.duration
      info.time(by: reading.streams)
      if demuxer.container == "mov" { info.codecs = CodecStrings(demuxer) }
      info.descriptions = demuxer.descriptions(ofStream: info.video)
      // Damage to streams that are left out does not matter: nothing that is kept is lost by it.
      let kept = [info.video, info.audio].compactMap(\.self)
      let isShort = info.duration ?? 0 <= longestDecoded
      let decoded =
        isShort ? try decode(reading.doubtful(kept, in: demuxer), of: source, call) : [:]
      let damaged = decoded.mapValues(\.damagedPackets)
      for finding in reading.damage(in: demuxer, to: kept, decoded: damaged) {
        info.noteDamage(finding)
      }
      // FFmpeg goes on counting a later link of a chained Ogg at the rate of the first.
      if demuxer.isChained, decoded.values.contains(where: \.changesRate) {
        info.noteDamage("part of its sound has another sample rate, and comes out at a wrong time")
      }
      for (index, name) in [(info.video, "picture"), (info.audio, "sound")]
      where index.map(mixed.contains) == true {
        info.noteDamage("part of its \(name) has another codec, and is not read")
      }
      if let rest = UnreadRest.find(in: source, demuxer.container, size: demuxer.fileSize) {
        info.noteDamage(rest)
      }
      if let claimed, let duration = info.duration,
        claimed > max(duration, reading.end(in: demuxer, of: info)) + 1
      {
        info.noteDamage(
          "its header says \(claimed.tenthsRoundedUp) s, but only "
            + "\(duration.tenthsRoundedUp) s are there")
      }
      if demuxer.container == "mov" { info.readTranscript(in: source) }
    }
    return info
  }

  /// Returns the streams whose track has samples of several codecs, by the index of an MP4. FFmpeg
  /// reads the samples of only one codec.
  private static func mixedStreams(_ demuxer: borrowing Demuxer, _ source: OpenMedia) -> Set<Int> {
    guard demuxer.container == "mov",
      let tracks = try? MovieIndex(source).tracksOfSeveralCodecs(), !tracks.isEmpty
    else { return [] }
    return Set(demuxer.streams.filter { tracks.contains(Int($0.pointee.id)) }.map(\.index))
  }

  /// Returns how much to read to describe the streams. If every stream's decoder is tried, that
  /// fills the gaps of the header.
  private static func description(_ depth: ProbeDepth) -> Demuxer.Description {
    switch depth {
    case .header: .header
    case .index, .packets, .decoded: .index
    case .metadata: .whole
    }
  }

  private static func header(_ demuxer: borrowing Demuxer) -> MediaInfo {
    let metadata = FileMetadata(demuxer)
    var info = MediaInfo(
      container: demuxer.container, fileSize: demuxer.fileSize, creation: metadata.creation)
    info.hasLocation = metadata.hasLocation
    (info.make, info.model) = (metadata.make, metadata.model)
    info.contentIdentifier = metadata.contentIdentifier
    if metadata.isCreationLocal { info.isCreationLocal = true }
    for stream in demuxer.streams.prefix(mostStreams) {
      info.streams.append(describe(stream, in: demuxer))
    }
    info.unseenStreams = demuxer.streams.count - info.streams.count
    info.duration = demuxer.claimedDuration
    return info
  }

  private static func describe(
    _ stream: UnsafeMutablePointer<AVStream>, in demuxer: borrowing Demuxer
  ) -> StreamInfo {
    var description = stream.describe(in: demuxer.context)
    if [.video, .audio].contains(description.kind) {
      description.copyObstacle = CopyPolicy.obstacle(to: stream, in: demuxer.container)
    }
    return description
  }

  /// Reads the packets, and corrects the header's figures with theirs.
  private static func measure(
    _ demuxer: borrowing Demuxer, _ depth: ProbeDepth, into info: inout MediaInfo
  ) throws(HoldfastError) -> PacketReading {
    var reading = PacketReading()
    let trials = try read(demuxer, depth: depth, descriptions: info.streams, into: &reading)
    for (index, stream) in zip(info.streams.map(\.index), demuxer.streams) {
      reading.streams[index]?.finish(stream, in: demuxer)
    }
    for position in info.streams.indices {
      let index = info.streams[position].index
      guard reading.streams[index] != nil else { continue }
      try trials[index]?.add(nil)
      if demuxer.isKnownByHeader {
        info.streams[position] = describe(try demuxer.stream(at: index), in: demuxer)
      }
      if info.streams[position].picture?.mastering == nil {
        info.streams[position].picture?.mastering = trials[index]?.mastering
      }
      // An encoded stream begins with the first output of its decoder, and some decoders give
      // nothing for the first packet.
      let obstacle =
        info.streams[position].copyObstacle ?? reading.streams[index]?.copyObstacle
      if obstacle != nil, let start = trials[index]?.start {
        reading.picturesLost[index] = reading.streams[index]?.picturesLost(before: start)
        reading.streams[index]?.begin(noEarlierThan: start)
      }
      guard let measurement = reading.streams[index] else { continue }
      let decodes = trials[index].map { $0.result ?? false }
      info.streams[position].apply(measurement, decodes: decodes)
      if depth == .decoded { info.streams[position].damagedPackets = trials[index]?.damagedPackets }
    }
    // A transport stream may name more streams on the way.
    info.unseenStreams = demuxer.streams.count - info.streams.count
    return reading
  }

  /// Decodes some streams. Returns the decoders, by the index of their stream.
  private static func decode(
    _ indices: Set<Int>, of source: OpenMedia, _ call: RunningCall
  ) throws(HoldfastError) -> [Int: TrialDecoder] {
    guard !indices.isEmpty else { return [:] }
    let demuxer = try Demuxer(source, call: call)
    demuxer.discardStreams { !indices.contains($0) }
    var trials: [Int: TrialDecoder] = [:]
    for index in indices {
      trials[index] = try TrialDecoder(try demuxer.stream(at: index), decodesAll: true)
    }
    let packet = try Packet()
    while case .packet = try demuxer.read(into: packet.pointer) {
      try trials[Int(packet.pointer.pointee.stream_index)]?.add(packet.pointer)
    }
    for trial in trials.values { try trial.add(nil) }
    return trials
  }

  /// Reads every packet, to time each stream and to try its decoder. If the index is enough, the
  /// packets' bytes are read only until the sound was tried and the first picture's header is
  /// known.
  ///
  /// - Returns: The decoders, by the index of their stream. No decoder has been sent the end yet.
  private static func read(
    _ demuxer: borrowing Demuxer, depth: ProbeDepth, descriptions: [StreamInfo],
    into reading: inout PacketReading
  ) throws(HoldfastError) -> [Int: TrialDecoder] {
    let packet = try Packet()
    let skims = depth == .index && demuxer.isKnownByIndex
    if skims { demuxer.trustIndex() }
    var isSkimming = false
    var trials: [Int: TrialDecoder] = [:]
    var unseenPictures: Set<Int> = []
    for (stream, description) in zip(demuxer.streams, descriptions)
    where [.video, .audio].contains(description.kind) && !description.isEncrypted {
      reading.streams[stream.index] = StreamMeasurement(
        of: stream, in: demuxer.context, looksInside: !skims)
      if skims, description.kind == .video {
        unseenPictures.insert(stream.index)
      } else {
        trials[stream.index] = try TrialDecoder(stream, decodesAll: depth == .decoded)
      }
    }
    var amount = PacketAmount(fileSize: demuxer.fileSize)
    packets: while true {
      switch try demuxer.read(into: packet.pointer) {
      case .end: break packets
      case .damage:
        reading.isCutShort = true
        break packets
      case .packet:
        let index = Int(packet.pointer.pointee.stream_index)
        try amount.add(packet.pointer)
        reading.add(packet.pointer, timeBase: try demuxer.stream(at: index).timeBase)
        if unseenPictures.remove(index) != nil {
          let stream = try demuxer.stream(at: index)
          // If the picture's headers cannot be read, decoding must show whether the stream is any
          // good.
          if try !PictureHeader.describe(stream, by: packet.pointer) {
            trials[index] = try TrialDecoder(stream, decodesAll: false)
          }
        }
        try trials[index]?.add(packet.pointer)
        if skims, !isSkimming, unseenPictures.isEmpty,
          trials.values.allSatisfy({ $0.result != nil })
        {
          demuxer.skim()
          isSkimming = true
        }
      }
    }
    return trials
  }
}

extension StreamInfo {
  /// Codecs of still images. A stream with a single packet of these is a cover, not a video.
  private static let stillCodecs: Set = [
    "mjpeg", "png", "bmp", "gif", "webp", "tiff", "jpeg2000", "jpegls", "targa",
  ]

  fileprivate mutating func apply(_ measurement: StreamMeasurement, decodes: Bool?) {
    packets = measurement.packets
    start = measurement.start.map { Double($0) * measurement.timeBase.seconds }
    duration = measurement.duration
    if measurement.hidesStart { hidesStart = true }
    if measurement.decodingExcess > 0 { decodingExcess = measurement.decodingExcess }
    isEncrypted = isEncrypted || measurement.isEncrypted
    copyObstacle = copyObstacle ?? measurement.copyObstacle
    largestSound = measurement.largestSound
    self.decodes = isEncrypted ? false : decodes
    if kind == .video, measurement.packets <= 1, Self.stillCodecs.contains(codec) {
      kind = .picture
    }
  }
}

extension MediaInfo {
  /// Sets the start and the duration from the packets of the streams that are kept.
  fileprivate mutating func time(by measured: [Int: StreamMeasurement]) {
    var end = -Double.infinity
    for index in [video, audio] {
      guard let stream = index.flatMap({ measured[$0] }), let first = stream.start,
        let last = stream.end
      else { continue }
      let time = MediaTime(
        ticks: first, numerator: stream.timeBase.num, denominator: stream.timeBase.den)
      if start.map({ time.seconds < $0.seconds }) ?? true { start = time }
      end = max(end, Double(last) * stream.timeBase.seconds)
    }
    isMeasured = true
    duration = start.map { end - $0.seconds }
    if let duration, duration > RecordingLimit.longest {
      pictures = video.flatMap { measured[$0]?.pictures }
    }
  }
}
