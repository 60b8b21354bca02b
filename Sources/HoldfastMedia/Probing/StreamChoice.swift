import HoldfastModel

extension MediaInfo {
  /// Chooses one video and one audio stream, and adds a warning for each stream that is left out.
  /// Throws if there is nothing to choose.
  mutating func chooseStreams() throws(HoldfastError) {
    video = choice(of: .video)
    audio = choice(of: .audio)
    for kind in [StreamInfo.Kind.video, .audio]
    where (kind == .video ? video : audio) == nil
      && streams.contains(where: { $0.kind == kind && $0.isEncrypted })
    {
      throw HoldfastError(
        .encrypted, "is encrypted, and only the app that made it can play it; export it from there")
    }
    type = video != nil ? .video : audio != nil ? .audio : nil
    guard type != nil else { throw HoldfastError(.nothingToPlay, whyThereIsNothingToPlay) }
    warnings += streams.compactMap(warning)
  }

  /// Returns the first stream of a kind that can be copied, or else the first that can be played.
  /// If any of them are default streams, only those are considered.
  private func choice(of kind: StreamInfo.Kind) -> Int? {
    let playable = streams.filter { $0.kind == kind && $0.isPlayable }
    let defaults = playable.filter(\.isDefault)
    let pool = defaults.isEmpty ? playable : defaults
    return (pool.first { $0.copyObstacle == nil } ?? pool.first)?.index
  }

  private func warning(about stream: StreamInfo) -> String? {
    let what: String
    switch stream.kind {
    case .video where stream.index != video: what = "a video track"
    case .audio where stream.index != audio: what = "an audio track"
    case .subtitle: return "its subtitles (\(stream.codec)) are left out"
    default: return nil
    }
    return stream.isPlayable
      ? "\(what) (\(stream.codec), stream \(stream.index)) is left out: "
        + "only one track of each kind is kept"
      : "\(what) (\(stream.codec), stream \(stream.index)) cannot be decoded and is left out"
  }

  private var whyThereIsNothingToPlay: String {
    // To FFmpeg, an index that is cut off is an index without tracks.
    if streams.isEmpty {
      return "has no tracks; it is damaged or cut off, so copy it from the phone again"
    }
    let tracks = streams.filter { $0.kind == .video || $0.kind == .audio }
    if tracks.isEmpty {
      return streams.contains { $0.kind == .picture }
        ? "holds a still picture and no sound" : "holds no video or audio track"
    }
    let codecs = tracks.map(\.codec).joined(separator: ", ")
    if tracks.allSatisfy({ $0.packets == 0 }) {
      return "has headers (\(codecs)) but no media; copy it from the phone again"
    }
    return "holds \(codecs), which cannot be decoded"
  }
}

extension StreamInfo {
  /// The highest sample rate of a recorder, in hertz: that of DSD512, as FFmpeg counts it. A header
  /// that names a higher one is damaged, and to resample the sound could take minutes.
  private static let highestSampleRate = 2_822_400

  /// Whether the stream can be imported, as far as is known.
  fileprivate var isPlayable: Bool {
    let hasFormat =
      switch kind {
      case .video: (picture?.width ?? 0) > 0 && (picture?.height ?? 0) > 0
      case .audio:
        (1...Self.highestSampleRate).contains(sound?.sampleRate ?? 0) && (sound?.channels ?? 0) > 0
      default: false
      }
    return hasFormat && !isEncrypted && decodes != false && packets != 0
  }
}
