import HoldfastModel

/// The parts of an imported source that were left out. A source may be removed only if there are
/// none, and nothing but this type decides that.
///
/// The source is known from its probe and from what its decoders returned, the recordings from the
/// check of the written files. Anything unknown counts as lost. Parts that are never imported
/// (docs/media.md: names, location, covers, timecode and other data) do not count. A user who moves
/// a source knows that, or asks for `--keep-metadata`.
struct SourceRemainder {
  /// The parts, each as a clause about the source.
  private(set) var parts: [String] = []

  init(of info: MediaInfo, after reports: [ConversionReport]) {
    let source = MediaContent(ofSource: info, convertedIn: reports)
    let shortfalls = MediaContent(reports).shortfalls(of: source)
    addTracks(of: info, shortfalls)
    addDamage(info, reports)
    if info.duration == nil || !info.isMeasured {
      add(["its length is not known"])
    } else {
      add(shortfalls.compactMap(\.lengthInLibrary))
    }
    add(shortfalls.compactMap(\.formatInLibrary))
    add(Self.lostDescriptions(among: shortfalls))
    add([info.transcriptLoss].compactMap(\.self))
  }

  var isWhole: Bool { parts.isEmpty }

  /// Adds clauses, each once: several recordings of one source may lack the same.
  mutating func add(_ clauses: [String]) {
    for clause in clauses where !parts.contains(clause) { parts.append(clause) }
  }

  private mutating func addTracks(of info: MediaInfo, _ shortfalls: [MediaContent.Shortfall]) {
    var names: [String] = []
    for kind in [StreamInfo.Kind.video, .audio] {
      let tracks = info.streams.filter { $0.kind == kind }
      for (number, track) in tracks.enumerated()
      where shortfalls.contains(.track(kind, index: track.index)) {
        names.append("its \(tracks.count > 1 ? Self.ordinal(number) : "")\(kind.rawValue) track")
      }
    }
    if info.streams.contains(where: { $0.kind == .subtitle }) { names.append("its subtitles") }
    if info.unseenStreams > 0 { names.append("\(info.unseenStreams) more of its tracks") }
    guard let last = names.popLast() else { return }
    let list = names.isEmpty ? last : names.joined(separator: ", ") + " and \(last)"
    let isOne = names.isEmpty && last.hasSuffix(" track")
    parts.append("\(list) \(isOne ? "is" : "are") not in the library")
  }

  private mutating func addDamage(_ info: MediaInfo, _ reports: [ConversionReport]) {
    let packets = reports.compactMap(\.damagedPackets).reduce(0, +)
    if info.isDamaged {
      add(info.damage.isEmpty ? ["it is damaged"] : info.damage)
    } else if packets > 0 {
      let what = "\(packets.counted("packet")) of it"
      parts.append("it is damaged, and \(what) cannot be decoded")
    }
  }

  private static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    return words.indices.contains(number) ? "\(words[number]) " : "\(number + 1)th "
  }
}
