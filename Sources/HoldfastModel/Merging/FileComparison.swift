/// Decides which of two files of one recording, this library's or another library's, a merge keeps.
///
/// A file replaces another only if it covers it (``MediaContent``). A merge never changes whether a
/// recording that a library already has names a place or a device.
package struct FileComparison: Hashable, Sendable {
  package enum Choice: Hashable, Sendable {
    /// The files are the same, or this library's covers the other.
    case own
    /// The other library's file covers this library's.
    case other
    /// Neither file may replace the other.
    case neither
  }

  package let choice: Choice
  /// Whether both libraries reach the same answer, so that two recordings of one source can become
  /// one and neither library loses anything that its file holds.
  package let canBecomeOne: Bool
  private let own: MediaContent?
  private let other: MediaContent?
  private let hasSameTags: Bool

  package init(_ own: Recording, _ other: Recording) {
    self.own = MediaContent(own)
    self.other = MediaContent(other)
    hasSameTags = own.ingestion.keptTags == other.ingestion.keptTags
    let (hash, otherHash) = (own.ingestion.fileSHA256, other.ingestion.fileSHA256)
    guard hash != otherHash else {
      (choice, canBecomeOne) = (.own, true)
      return
    }
    guard let content = self.own, let otherContent = self.other, own.type == other.type else {
      (choice, canBecomeOne) = (.neither, false)
      return
    }
    let covers = content.covers(otherContent)
    let isCovered = otherContent.covers(content)
    if !hasSameTags {
      choice = covers ? .own : .neither
      canBecomeOne = covers && isCovered
    } else {
      choice =
        switch (covers, isCovered) {
        // Both libraries choose the same file.
        case (true, true): hash.hexadecimal < otherHash.hexadecimal ? .other : .own
        case (true, false): .own
        case (false, true): .other
        case (false, false): .neither
        }
      canBecomeOne = choice != .neither
    }
  }

  /// What each file lacks compared with the other, as a clause.
  package var difference: String {
    guard let own, let other else {
      return "it is not known which of the two files holds more"
    }
    let clauses = [("this library's", own, other), ("the other library's", other, own)]
      .map { ($0.0, $0.1.shortfalls(of: $0.2).map(\.difference)) }
      .filter { !$0.1.isEmpty }
      .map { "\($0.0) file \($0.1.joined(separator: " and "))" }
    return (clauses + (hasSameTags ? [] : ["only one of the two files names a place or a device"]))
      .joined(separator: ", ")
  }
}

extension Ingestion {
  /// The tags that say where, and with what device, the source was recorded.
  fileprivate var keptTags: Set<String> { Set(conversion?.keptMetadata ?? []) }
}

extension MediaContent.Shortfall {
  /// What a file lacks compared with another, as the end of a clause about the file.
  fileprivate var difference: String {
    switch self {
    case .track(let kind, _): "lacks the \(kind == .video ? "picture" : "sound") of the other"
    case .time(let kept, let all):
      kept == all
        ? "holds another stretch of time"
        : "lasts \(kept.tenthsRoundedUp) s instead of \(all.tenthsRoundedUp) s"
    case .encoded(let kind): "holds an encoded \(kind == .video ? "picture" : "sound")"
    case .unknown(let kind): "says nothing about its \(kind == .video ? "picture" : "sound")"
    case .size(let kept, let all):
      "has \(kept.width) × \(kept.height) pixels instead of \(all.width) × \(all.height)"
    case .bits(_, let kept, let all):
      "has \(kept.map { "\($0)" } ?? "an unknown number of") bits a sample instead of \(all)"
    case .dynamicRange(let range): "lacks the high dynamic range (\(range.rawValue.uppercased()))"
    case .wideGamut: "lacks the wide range of colours"
    case .channels(let kept, let all): "has \(kept.counted("channel")) instead of \(all)"
    case .sampleRate(let kept, let all): "has \(kept) samples a second instead of \(all)"
    case .description(let description):
      "lacks a description of its pictures (\(description.rawValue))"
    }
  }
}
