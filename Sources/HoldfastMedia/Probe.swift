internal import CFFmpeg
internal import HoldfastModel

/// Finds out what a file holds: first by its header, then by its packets.
struct Probe {
  /// More streams than this are not looked at; no phone makes them.
  private static let mostStreams = 16

  /// Says what `source` holds.
  ///
  /// - Throws: ``MediaError`` when there is nothing in it that can be taken.
  static func run(
    _ source: OpenMedia, depth: ProbeDepth, call: RunningCall
  ) throws(MediaError) -> MediaInfo {
    if depth == .metadata, try JPEGExtras.isJPEG(source) {
      return MediaInfo(
        container: "jpeg", fileSize: try regularFileSize(source),
        extras: try JPEGExtras.names(in: source))
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
      let measured = try measure(demuxer, depth, into: &info)
      // What an index says is believed of a whole file.
      if depth == .index, demuxer.isKnownByIndex, info.isDamaged {
        return try run(source, depth: .packets, call: call)
      }
      try info.chooseStreams()
      info.time(by: measured)
    }
    return info
  }

  /// Where every stream is tried with its decoder, that says what the header does not.
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
      container: demuxer.container, fileSize: demuxer.fileSize, creation: metadata.creation,
      hasLocation: metadata.hasLocation, make: metadata.make, model: metadata.model,
      contentIdentifier: metadata.contentIdentifier)
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

  /// Whether the index of an MP4 names packets that the file does not hold: it is cut off.
  private static func lacksPackets(
    _ demuxer: borrowing Demuxer, _ measured: [Int: StreamMeasurement]
  ) -> Bool {
    guard demuxer.container == "mov" else { return false }
    return demuxer.streams.contains { stream in
      guard let packets = measured[stream.index]?.packets else { return false }
      return packets < Int(avformat_index_get_entries_count(stream))
    }
  }

  /// Goes through every packet: times each stream and tries its decoder. Where the index is enough,
  /// packets are read only until sound has been tried, and the first picture's header is known.
  private static func measure(
    _ demuxer: borrowing Demuxer, _ depth: ProbeDepth, into info: inout MediaInfo
  ) throws(MediaError) -> [Int: StreamMeasurement] {
    let packet = try Packet()
    let skims = depth == .index && demuxer.isKnownByIndex
    if skims { demuxer.trustIndex() }
    var isSkimming = false
    var measured: [Int: StreamMeasurement] = [:]
    var trials: [Int: TrialDecoder] = [:]
    var unseenPictures: Set<Int> = []
    for (stream, description) in zip(demuxer.streams, info.streams)
    where [.video, .audio].contains(description.kind) && !description.isEncrypted {
      measured[stream.index] = StreamMeasurement(
        of: stream, in: demuxer.context, looksInside: !skims)
      if skims, description.kind == .video {
        unseenPictures.insert(stream.index)
      } else {
        trials[stream.index] = try TrialDecoder(stream, decodesAll: depth == .decoded)
      }
    }
    var corrupt = 0
    var amount = PacketAmount(fileSize: demuxer.fileSize)
    reading: while true {
      switch try demuxer.read(into: packet.pointer) {
      case .end: break reading
      case .damage(let word):
        info.isDamaged = true
        info.warnings.append("it is damaged, and was read only up to the damage (\(word))")
        break reading
      case .packet:
        let index = Int(packet.pointer.pointee.stream_index)
        try amount.add(packet.pointer)
        if packet.pointer.isCorrupt { corrupt += 1 }
        measured[index]?.add(packet.pointer)
        if unseenPictures.remove(index) != nil {
          let stream = try demuxer.stream(at: index)
          // Of a header that cannot be read, the packets must show what it is worth.
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
    if corrupt > 0 {
      info.isDamaged = true
      info.warnings.append("damaged packets: \(corrupt)")
    }
    if demuxer.losses > 0 {
      info.isDamaged = true
      let places =
        demuxer.losses == 1 ? "1 place, which was" : "\(demuxer.losses) places, which were"
      info.warnings.append("it is damaged at \(places) passed over")
    }
    if measured.values.contains(where: { $0.clockFalls > 0 }) {
      info.isDamaged = true
      info.warnings.append("its clock falls back on the way; not all of what follows may be kept")
    }
    for position in info.streams.indices {
      let index = info.streams[position].index
      guard let measurement = measured[index] else { continue }
      try trials[index]?.add(nil)
      if demuxer.isKnownByHeader {
        info.streams[position] = describe(try demuxer.stream(at: index), in: demuxer)
      }
      let decodes = trials[index].map { $0.result ?? false }
      info.streams[position].apply(measurement, decodes: decodes)
      if depth == .decoded { info.streams[position].damagedPackets = trials[index]?.damagedPackets }
    }
    // A transport stream may name more streams only on the way.
    info.unseenStreams = demuxer.streams.count - info.streams.count
    if lacksPackets(demuxer, measured) {
      info.isDamaged = true
      info.warnings.append("its end is missing: it holds fewer packets than its index names")
    }
    return measured
  }
}

extension StreamInfo {
  /// Codecs of still images: one packet of them is a cover, not a video.
  private static let stillCodecs: Set = [
    "mjpeg", "png", "bmp", "gif", "webp", "tiff", "jpeg2000", "jpegls", "targa",
  ]

  /// Corrects the header's word by what the packets say.
  fileprivate mutating func apply(_ measurement: StreamMeasurement, decodes: Bool?) {
    packets = measurement.packets
    start = measurement.start.map { Double($0) * measurement.timeBase.seconds }
    duration = measurement.duration
    isEncrypted = isEncrypted || measurement.isEncrypted
    copyObstacle = copyObstacle ?? measurement.copyObstacle
    self.decodes = isEncrypted ? false : decodes
    if kind == .video, measurement.packets <= 1, Self.stillCodecs.contains(codec) {
      kind = .picture
    }
  }
}

extension MediaInfo {
  /// Takes start and duration from the packets of the streams that are kept.
  fileprivate mutating func time(by measured: [Int: StreamMeasurement]) {
    let claimed = duration
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
    if let claimed, let duration, claimed > duration + 1 {
      isDamaged = true
      warnings.append(
        "its header says \(claimed.tenths) s, but only \(duration.tenths) s are there")
    }
  }
}
