internal import HoldfastModel

/// What of a source is not in the library although it was imported: the one place that says whether
/// a source may go.
///
/// What never comes along (DESIGN §5: names, location, covers, timecode and other data) is not
/// counted; who moves a source knows that, or asks for `--keep-metadata`.
struct SourceRemainder {
  /// Each in words that follow the source's name.
  private(set) var parts: [String] = []

  /// How much shorter the recordings may be than their source, in seconds: twice what the check of
  /// an output lets pass.
  private static let tolerance = 0.2

  /// - Parameters:
  ///   - info: What the source holds.
  ///   - reports: What was done for each recording that it became.
  init(of info: MediaInfo, after reports: [ConversionReport]) {
    addTracks(of: info)
    addDamage(info, reports)
    addLength(info, reports)
    addSize(info, reports)
  }

  /// Whether all of the source is in the library.
  var isWhole: Bool { parts.isEmpty }

  private mutating func addTracks(of info: MediaInfo) {
    var names: [String] = []
    for (kind, kept) in [(StreamInfo.Kind.video, info.video), (.audio, info.audio)] {
      let tracks = info.streams.filter { $0.kind == kind }
      for (number, track) in tracks.enumerated() where track.index != kept {
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
      parts.append("it is damaged, and not all of it can be read")
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

  private mutating func addSize(_ info: MediaInfo, _ reports: [ConversionReport]) {
    guard let picture = info.videoStream?.picture,
      let most = reports.lazy.compactMap(\.plan.maxHeight).first,
      picture.displaySize.height > most
    else { return }
    parts.append("its picture was scaled down to \(most) lines")
  }

  private static func ordinal(_ number: Int) -> String {
    let words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"]
    return words.indices.contains(number) ? "\(words[number]) " : "\(number + 1)th "
  }
}
