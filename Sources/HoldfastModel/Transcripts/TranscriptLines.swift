import Foundation

/// A transcript as lines of text that a person can write and edit: `[0:42.310] I stopped.`
public enum TranscriptLines {
  /// A moment in a recording, such as `0:42`.
  ///
  /// - Parameter milliseconds: The time since its beginning.
  public static func clock(_ milliseconds: Int) -> String {
    let seconds = milliseconds / 1000
    return "\(seconds / 60):\(twoDigits(seconds % 60))"
  }

  /// The lines of a transcript.
  ///
  /// - Parameter segments: What was said, in order.
  public static func text(of segments: [TranscriptSegment]) -> String {
    segments.map { segment in
      let fraction = "\(1000 + segment.startTime % 1000)".dropFirst()
      return "[\(clock(segment.startTime)).\(fraction)] \(segment.text)\n"
    }.joined()
  }

  /// Reads the lines again.
  ///
  /// A line that did not change keeps its segment. A changed text keeps its times, but not those of
  /// its words. Lines without a time share the gap between their neighbours. If they were split off
  /// the line before, or without a gap, they share its time, by the lengths of the texts. A line
  /// with a new time ends where the next one begins.
  ///
  /// - Parameters:
  ///   - text: The lines.
  ///   - old: The segments before the changes; none for a new transcript.
  ///   - duration: The recording's length in seconds.
  /// - Returns: The segments, in the order of their times.
  /// - Throws: ``RuleError`` for a new time that is none, or after the end of the recording.
  public static func segments(
    from text: String, editing old: [TranscriptSegment] = [], duration: Double
  ) throws(RuleError) -> [TranscriptSegment] {
    let duration = Int(duration * 1000)
    var rest = old
    var lines: [Line] = []
    for line in text.split(whereSeparator: \.isNewline) {
      if let line = try Line(String(line)) { lines.append(line) }
    }
    let found = try lines.map { line throws(RuleError) -> TranscriptSegment? in
      guard let time = line.time else { return nil }
      guard let place = rest.firstIndex(where: { $0.startTime == time }) else {
        // A person may write the last second in full.
        let length = (duration + 999) / 1000 * 1000
        guard time <= length else {
          throw RuleError("\(line.shown): the recording is \(clock(length)) long")
        }
        let time = min(time, duration)
        return TranscriptSegment(startTime: time, endTime: time, text: line.text)
      }
      var segment = rest.remove(at: place)
      if segment.text != line.text {
        segment.text = line.text
        segment.wordTimes = nil
      }
      return segment
    }
    var segments = withTimes(found, lines, old: old, duration: duration)
    segments.sort { $0.startTime < $1.startTime }
    for (index, segment) in segments.enumerated()
    where segment.endTime == segment.startTime && !old.contains(segment) {
      let next = index + 1 < segments.count ? segments[index + 1].startTime : duration
      segments[index].endTime = max(next, segment.startTime)
    }
    return segments
  }

  /// Gives each line without a time a part of the gap around it.
  private static func withTimes(
    _ found: [TranscriptSegment?], _ lines: [Line], old: [TranscriptSegment],
    duration: Int
  ) -> [TranscriptSegment] {
    var segments: [TranscriptSegment] = []
    var index = 0
    while index < found.count {
      if let segment = found[index] {
        segments.append(segment)
        index += 1
        continue
      }
      let next = found[index...].firstIndex { $0 != nil } ?? found.count
      var texts = lines[index..<next].map(\.text)
      var start = segments.last?.endTime ?? 0
      var end = max(next < found.count ? found[next]?.startTime ?? duration : duration, start)
      if let last = segments.last, last.endTime > last.startTime, start == end || isSplit(last, old)
      {
        texts.insert(last.text, at: 0)
        (start, end) = (last.startTime, last.endTime)
        segments.removeLast()
      }
      segments += share(start..<end, among: texts)
      index = next
    }
    return segments
  }

  /// Whether words were cut off the end of a segment.
  private static func isSplit(
    _ segment: TranscriptSegment, _ old: [TranscriptSegment]
  ) -> Bool {
    old.contains {
      $0.startTime == segment.startTime && $0.text != segment.text
        && $0.text.hasPrefix(segment.text)
    }
  }

  /// Shares a stretch of time by the lengths of the texts.
  private static func share(
    _ time: Range<Int>, among texts: [String]
  ) -> [TranscriptSegment] {
    let whole = texts.reduce(0) { $0 + $1.count }
    var before = 0
    return texts.map { text in
      let start = time.lowerBound + time.count * before / whole
      before += text.count
      let end = time.lowerBound + time.count * before / whole
      return TranscriptSegment(startTime: start, endTime: end, text: text)
    }
  }

  private static func twoDigits(_ number: Int) -> String {
    number < 10 ? "0\(number)" : "\(number)"
  }

  /// A line with its time, if it has one.
  private struct Line {
    var time: Int?
    var text: String
    /// The line as an error shows it.
    let shown: String

    /// `nil` for a line without text.
    init?(_ line: String) throws(RuleError) {
      shown = "\"\(line.cut(to: 60).escapedForDisplay)\""
      let pattern = /\s*\[([0-9]{1,4}):([0-9]{2})(?:\.([0-9]{1,3}))?\]/
      var rest = line[...]
      if let match = line.prefixMatch(of: pattern), let minutes = Int(match.1),
        let seconds = Int(match.2)
      {
        guard seconds < 60 else {
          throw RuleError("\(shown): a time has at most 59 seconds, as in [1:59]")
        }
        let fraction = (match.3.map(String.init) ?? "").padding(
          toLength: 3, withPad: "0", startingAt: 0)
        time = (minutes * 60 + seconds) * 1000 + (Int(fraction) ?? 0)
        rest = line[match.range.upperBound...]
      }
      guard let text = String(rest).cleanedLine.nonBlank else { return nil }
      self.text = text
    }
  }
}
