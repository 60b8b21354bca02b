internal import HoldfastModel

/// What of a source is not in the library although it was imported: the one place that decides
/// whether a source may go.
///
/// What a source was is known from its probe and from what came out of its decoders; what the library
/// holds, from the check of what was written. What is not known counts as lost. What is never imported
/// (DESIGN §5: names, location, covers, timecode and other data) is not counted; whoever moves a source
/// knows that, or asks for `--keep-metadata`.
struct SourceRemainder {
  /// Each as a clause about the source.
  private(set) var parts: [String] = []

  /// How much shorter the recordings may be than their source, in seconds: twice what the check of
  /// an output lets pass.
  private static let tolerance = 0.2

  /// - Parameters:
  ///   - info: What the source holds.
  ///   - reports: What was done for each recording that it became.
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

  /// Whether all of the source is in the library.
  var isWhole: Bool { parts.isEmpty }

  /// Several recordings of one source lack the same.
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
      let what = packets == 1 ? "1 packet of it" : "\(packets) packets of it"
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
      parts.append("only \(kept.tenths) s of its \(duration.tenths) s are in the library")
    }
  }

  private static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    return words.indices.contains(number) ? "\(words[number]) " : "\(number + 1)th "
  }
}
