/// A line of a transcript in which words of a search were said.
public struct SpokenHit: Hashable, Sendable, Encodable {
  /// When the first of the words was said, in milliseconds from the beginning of the recording; if
  /// the times of words are unknown, when their sentence begins.
  public var startTime: Int
  /// The line: a segment's text, or the part of a long one around the words.
  public var text: String
  /// Where the words are in ``text``, counted in Unicode scalars, in order.
  public var ranges: [Range<Int>]
  /// Whether a computer wrote the words, so that they may be wrong.
  public var isByComputer = true

  /// The most Unicode scalars of a line.
  public static let longestText = 160

  private enum CodingKeys: String, CodingKey { case start, text, ranges, isByComputer }

  /// Writes the hit as JSON: `start` in seconds, `text`, `ranges` as pairs of numbers, and
  /// `isByComputer`.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(Double(startTime) / 1000, forKey: .start)
    try values.encode(text, forKey: .text)
    try values.encode(ranges.map { [$0.lowerBound, $0.upperBound] }, forKey: .ranges)
    try values.encode(isByComputer, forKey: .isByComputer)
  }

  /// The line in pieces: those that were searched for, and those between them.
  public var pieces: [(text: String, isFound: Bool)] {
    let scalars = Array(text.unicodeScalars)
    var pieces: [(text: String, isFound: Bool)] = []
    var end = 0
    func add(_ range: Range<Int>, _ isFound: Bool) {
      guard !range.isEmpty else { return }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars[range])
      pieces.append((String(text), isFound))
    }
    for range in ranges {
      add(end..<range.lowerBound, false)
      add(range, true)
      end = range.upperBound
    }
    add(end..<scalars.count, false)
    return pieces
  }
}

extension SpokenQuery {
  /// Returns the lines of a transcript that have the most of the phrases, in order.
  ///
  /// - Parameter limit: The most lines to return.
  package func hits(in segments: [TranscriptSegment], limit: Int) -> [SpokenHit] {
    var folding = ScalarFolding()
    var best = 0
    var found: [(segment: TranscriptSegment, sources: [Range<Int>], first: Int)] = []
    for segment in segments {
      let words = FoldedWords(segment.text, &folding)
      let places = places(in: words)
      let score = score(of: places)
      guard score > 0, score >= best else { continue }
      if score > best { (best, found) = (score, []) }
      guard found.count < limit else { continue }
      found.append(
        (
          segment,
          places.map {
            words.words[$0.words.lowerBound].source
              .lowerBound..<words.words[$0.words.upperBound - 1].source.upperBound
          }, beginning(of: places)
        ))
    }
    return found.map { SpokenHit($0.segment, $0.sources, from: $0.first) }
  }

  /// Returns the index of the place at which the shortest stretch with all the phrases begins: a
  /// short word such as "I" may also be far before the others.
  private func beginning(of places: [(phrase: Int, words: Range<Int>)]) -> Int {
    let count = Set(places.map(\.phrase)).count
    var best = (length: Int.max, index: 0)
    for (index, place) in places.enumerated() {
      var phrases: Set<Int> = []
      let end = places[index...].first { other in
        phrases.insert(other.phrase)
        return phrases.count == count
      }
      guard let end else { break }
      let length = end.words.upperBound - place.words.lowerBound
      if length < best.length { best = (length, index) }
    }
    return best.index
  }

  /// Returns how well a line fits: more for each phrase, and a little for each that follows the one
  /// before it.
  package func score(of hit: SpokenHit) -> Int { score(of: places(in: FoldedWords(hit.text))) }

  private func score(of places: [(phrase: Int, words: Range<Int>)]) -> Int {
    var (phrases, pairs): (Set<Int>, Set<Int>) = ([], [])
    let ends = Set(places.map { [$0.phrase, $0.words.upperBound] })
    for place in places {
      phrases.insert(place.phrase)
      if ends.contains([place.phrase - 1, place.words.lowerBound]) { pairs.insert(place.phrase) }
    }
    return phrases.count * (Self.mostWords + 1) + pairs.count
  }
}

extension SpokenHit {
  /// - Parameters:
  ///   - sources: Where the words are in the segment's text, in bytes of UTF-8; in the order of
  ///     their beginnings.
  ///   - index: The one from which it is heard.
  init(_ segment: TranscriptSegment, _ sources: [Range<Int>], from index: Int) {
    let first = sources.indices.contains(index) ? sources[index].lowerBound : 0
    startTime = segment.startTime
    var end = 0
    for word in segment.words {
      end += word.text.utf8.count
      if end > first {
        startTime = word.startTime
        break
      }
    }
    // From bytes to scalars, and overlapping ranges to one.
    var scalars = [Int](repeating: 0, count: segment.text.utf8.count + 1)
    var (byte, number) = (0, 0)
    for scalar in segment.text.unicodeScalars {
      let width = UTF8.width(scalar)
      for offset in 0..<width { scalars[byte + offset] = number }
      (byte, number) = (byte + width, number + 1)
    }
    scalars[byte] = number
    ranges = []
    for source in sources {
      let range = scalars[source.lowerBound]..<scalars[source.upperBound]
      if let last = ranges.last, last.upperBound >= range.lowerBound {
        ranges[ranges.count - 1] =
          last.lowerBound..<max(last.upperBound, range.upperBound)
      } else {
        ranges.append(range)
      }
    }
    text = segment.text
    self = cut(to: Self.longestText)
  }

  /// Returns the part of a long line that begins a little before the first word.
  ///
  /// - Parameter limit: The most Unicode scalars of the part.
  package func cut(to limit: Int) -> SpokenHit {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > limit, limit > 2 else { return self }
    let first = ranges.first?.lowerBound ?? 0
    var start = max(0, min(first - limit / 3, scalars.count - limit + 2))
    // At a word's beginning, if there is one nearby.
    if start > 0, let space = scalars[start..<max(start, first)].firstIndex(of: " ") {
      start = space + 1
    }
    let end = min(scalars.count, start + limit - 2)
    var cut = String.UnicodeScalarView()
    if start > 0 { cut.append("…") }
    let shift = start - cut.count
    cut.append(contentsOf: scalars[start..<end])
    if end < scalars.count { cut.append("…") }
    var hit = self
    hit.text = String(cut)
    hit.ranges = ranges.compactMap { range in
      let range = range.clamped(to: start..<end)
      return range.isEmpty ? nil : range.lowerBound - shift..<range.upperBound - shift
    }
    return hit
  }
}
