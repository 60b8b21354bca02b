/// The words of a transcript as captions, for players and editors.
public struct Captions: Sendable {
  /// The format of a file with captions.
  public enum Format: String, Sendable, CaseIterable {
    /// WebVTT, which browsers read.
    case vtt
    /// SubRip, which nearly every player reads.
    case srt
  }

  /// The most characters of a line, as broadcasters advise.
  static let longestLine = 42
  /// The most lines that are shown at a time.
  static let mostLines = 2

  /// A text that is shown for a time, in milliseconds.
  struct Cue: Hashable {
    var startTime: Int
    var endTime: Int
    var lines: [String]
  }

  let cues: [Cue]
  private let isByComputer: Bool

  /// Makes the captions of a transcript's segments. A long segment is split where the times of its
  /// words are known; otherwise it is shown whole.
  ///
  /// - Parameters:
  ///   - segments: The segments.
  ///   - isByComputer: Whether a computer wrote the words. WebVTT then says so in a note.
  public init(_ segments: [TranscriptSegment], isByComputer: Bool = false) {
    self.isByComputer = isByComputer
    cues = segments.flatMap(Self.cues)
  }

  /// Returns the text of a file.
  public func text(as format: Format) -> String {
    switch format {
    case .vtt:
      "WEBVTT\n"
        + (isByComputer ? "\nNOTE A computer wrote these words. They may be wrong.\n" : "")
        + cues.map { cue in
          let lines = cue.lines.map(\.escapedForVTT).joined(separator: "\n")
          return "\n\(Self.time(cue, ".", alwaysHours: false))\n\(lines)\n"
        }.joined()
    case .srt:
      cues.enumerated().map { number, cue in
        let lines = cue.lines.map(\.escapedForSRT).joined(separator: "\n")
        return "\(number + 1)\n\(Self.time(cue, ",", alwaysHours: true))\n\(lines)\n"
      }.joined(separator: "\n")
    }
  }

  private static func cues(of segment: TranscriptSegment) -> [Cue] {
    let words = segment.words
    let isLong = lines(segment.text).count > mostLines
    guard isLong, !words.isEmpty else {
      return [
        Cue(startTime: segment.startTime, endTime: segment.endTime, lines: lines(segment.text))
      ]
    }
    var cues: [Cue] = []
    var (text, start, end) = ("", words[0].startTime, words[0].endTime)
    func finish() {
      cues.append(Cue(startTime: start, endTime: end, lines: lines(text)))
    }
    for word in words {
      if !text.isEmpty, lines(text + word.text).count > mostLines {
        finish()
        (text, start) = ("", word.startTime)
      }
      text += word.text
      end = word.endTime
    }
    finish()
    return cues
  }

  /// Breaks a text at spaces. A word that is longer than a line has a line of its own, and text
  /// without spaces is broken anywhere.
  private static func lines(_ text: String) -> [String] {
    var lines: [String] = []
    for word in text.split(separator: " ") {
      if let last = lines.last, last.count + 1 + word.count <= longestLine {
        lines[lines.count - 1] = "\(last) \(word)"
        continue
      }
      var rest = word
      while rest.count > longestLine, !rest.utf8.allSatisfy({ $0 < 0x80 }) {
        lines.append(String(rest.prefix(longestLine)))
        rest = rest.dropFirst(longestLine)
      }
      lines.append(String(rest))
    }
    return lines
  }

  private static func time(_ cue: Cue, _ point: String, alwaysHours: Bool) -> String {
    func clock(_ time: Int) -> String {
      func digits(_ number: Int, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.count)) + text
      }
      let hours = time / 3_600_000
      return (hours > 0 || alwaysHours ? "\(digits(hours, 2)):" : "")
        + "\(digits(time / 60_000 % 60, 2)):\(digits(time / 1000 % 60, 2))\(point)"
        + digits(time % 1000, 3)
    }
    // Players refuse a cue that ends when it begins.
    return "\(clock(cue.startTime)) --> \(clock(max(cue.endTime, cue.startTime + 1)))"
  }
}

extension String {
  /// The text without markup, as WebVTT defines it.
  fileprivate var escapedForVTT: String {
    replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
  }

  /// SubRip has no escapes. Players read `<i>` and `{\an8}` as markup, and `-->` as a time.
  fileprivate var escapedForSRT: String {
    replacing("-->", with: "-- >").replacing("<", with: "< ").replacing("{\\", with: "{ \\")
  }
}
