import Foundation
import HoldfastModel

/// A phone's transcript is refused in a sentence, or gives words within the recording that the
/// catalog accepts. Two halves of a recording have no more words than the whole.
enum PhonePromises {
  static let examples =
    [
      """
      {"attributedString":["This is",{"timeRange":[0,0.42]}," the text.",{"timeRange":[0.42,1.23]},
      " Now",{}],"locale":{"identifier":"en_US","current":0}}
      """,
      """
      {"attributedString":{"attributeTable":[{"timeRange":[0,0.42]},{"timeRange":[2.5,3.5]}],
      "runs":["This is",0," the text.",1]},"locale":{"identifier":"de"}}
      """,
      #"{"attributedString":""}"#,
    ].map { Data($0.utf8) }

  static let words = [
    "\"attributedString\"", "\"attributeTable\"", "\"runs\"", "\"timeRange\"", "\"locale\"",
    "\"identifier\"", "[0,1]", "[1,0]", "[-1,1]", "[3,1e300]", "\"a\",{},", "\\u001b", "\\u200f",
    "\\u0301",
  ]

  private static let duration = 4.0

  static func check(_ bytes: Data) throws {
    do {
      let transcript = try PhoneTranscript(reading: Array(bytes), end: duration)
      let whole = try characters(of: transcript, from: nil, until: nil)
      guard transcript.runs.contains(where: { $0.times != nil }) else { return }
      let halves =
        try characters(of: transcript, from: nil, until: 2)
        + characters(of: transcript, from: 2, until: nil)
      try BrokenPromise.unless(halves <= whole, "\(whole) characters become \(halves)")
    } catch let error as RuleError {
      try BrokenPromise.unlessSentence(error.description)
    }
  }

  /// Returns how many characters other than white space were said in a part.
  private static func characters(
    of transcript: PhoneTranscript, from start: Int64?, until end: Int64?
  ) throws -> Int {
    func time(_ seconds: Int64) -> MediaTime {
      MediaTime(ticks: seconds, numerator: 1, denominator: 1)
    }
    var info = MediaInfo(container: "mov", fileSize: 1)
    info.streams = [StreamInfo(index: 0, kind: .audio, codec: "aac")]
    (info.type, info.audio, info.duration, info.isMeasured) = (.audio, 0, duration, true)
    info.start = time(0)
    var plan = try ConversionPlan(for: info)
    plan.start = time(start ?? 0)
    if start != nil || end != nil {
      plan.stretch = .init(from: start.map(time), until: end.map(time))
    }
    let length = Double(end ?? Int64(duration)) - Double(start ?? 0)
    let words = try transcript.words(for: plan, duration: length)
    try Transcript(of: RecordingID(), words, source: .phone, createdAt: .distantPast).validate()
    try BrokenPromise.unless(
      words.segments.allSatisfy { $0.endTime <= Int(length * 1000) }, "words after the end")
    return words.segments.reduce(0) { count, segment in
      count + segment.text.unicodeScalars.count { !$0.properties.isWhitespace }
    }
  }
}
