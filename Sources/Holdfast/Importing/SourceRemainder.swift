internal import HoldfastModel

/// The parts of an imported source that were left out. A source may be removed only if there are
/// none, and nothing but this type decides that.
///
/// The source is known from its probe and from what its decoders returned, the recordings from the
/// check of the written files. Anything unknown counts as lost. Parts that are never imported
/// (docs/media.md: names, location, covers, timecode and other data) do not count. A user who moves a
/// source knows that, or asks for `--keep-metadata`.
struct SourceRemainder {
  /// The parts, each as a clause about the source.
  private(set) var parts: [String] = []

  /// How much shorter than their source the recordings may be, in seconds. It is twice the
  /// tolerance of the check of an output.
  private static let tolerance = 0.2

  /// Compares a source with its recordings.
  ///
  /// - Parameters:
  ///   - info: What the source holds.
  ///   - reports: What was done for each recording of the source.
  init(of info: MediaInfo, after reports: [ConversionReport]) {
    addTracks(of: info, reports)
    addDamage(info, reports)
    addLength(info, reports)
    for report in reports {
      if let source = info.videoStream?.picture { add(lostOf(source, in: report)) }
      if let source = info.audioStream?.sound { add(lostOf(source, in: report)) }
    }
    add(Self.lostDescriptions(of: info, in: reports))
  }

  var isWhole: Bool { parts.isEmpty }

  /// Adds clauses, each once: several recordings of one source may lack the same.
  mutating func add(_ clauses: [String]) {
    for clause in clauses where !parts.contains(clause) { parts.append(clause) }
  }

  private mutating func addTracks(of info: MediaInfo, _ reports: [ConversionReport]) {
    var names: [String] = []
    let taken = reports.flatMap { [$0.plan.video?.index, $0.plan.audio?.index] }
    for kind in [StreamInfo.Kind.video, .audio] {
      let tracks = info.streams.filter { $0.kind == kind }
      for (number, track) in tracks.enumerated() where !taken.contains(track.index) {
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

  private mutating func addLength(_ info: MediaInfo, _ reports: [ConversionReport]) {
    let lengths = reports.map { $0.check?.duration ?? 0 }
    let kept = lengths.reduce(0, +)
    guard let duration = info.duration, info.isMeasured else {
      parts.append("its length is not known")
      return
    }
    if duration - kept > Self.tolerance
      || reports.contains(where: \.plan.isTrimmed)
    {
      parts.append(
        "only \(kept.tenthsRoundedUp) s of its \(duration.tenthsRoundedUp) s are in the library")
    }
  }

  private static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    return words.indices.contains(number) ? "\(words[number]) " : "\(number + 1)th "
  }
}
