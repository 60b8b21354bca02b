import Foundation

/// The words that a phone heard, as it stored them in the recording's own file.
package struct PhoneTranscript: Hashable, Sendable {
  /// A piece of the text, usually a word.
  package struct Run: Hashable, Sendable {
    /// The text, with the white space around it.
    package var text: String
    /// When it was said, in milliseconds on the file's clock; `nil` if unknown.
    package var times: ClosedRange<Int>?
  }

  /// The language as the phone names it, such as `en_US`; `nil` if unknown.
  package var language: String?
  /// The pieces whose texts together are the transcript. None if the phone heard no words.
  package var runs: [Run]

  /// The most bytes of a stored transcript that are read.
  package static let mostBytes = 2_000_000
  /// The most pieces.
  package static let mostRuns = 20_000
  /// How far the last words may be beyond the end of the recording, in seconds.
  static let tolerance = 1.0

  /// Whether every value is one that a file can have, and small enough to work with.
  var isPlausible: Bool {
    runs.count <= Self.mostRuns && (language?.utf8.count ?? 0) <= Self.mostBytes
      && runs.reduce(0) { $0 + $1.text.utf8.count } <= Self.mostBytes
      && runs.allSatisfy { $0.times?.upperBound ?? 0 <= TranscriptSegment.lastTime }
  }
}

extension PhoneTranscript {
  /// Reads the JSON of Apple's Voice Memos (the box `tsrp`), which may hold anything.
  ///
  /// - Parameters:
  ///   - json: The JSON.
  ///   - end: When the recording ends, in seconds on the file's clock; `nil` if unknown.
  /// - Throws: ``RuleError`` in one sentence for a transcript that is not believable as a whole.
  package init(reading json: [UInt8], end: Double?) throws(RuleError) {
    guard json.count <= Self.mostBytes else { throw Self.tooLarge(json.count) }
    guard String(validating: json, as: UTF8.self) != nil else {
      throw RuleError("it is not text in UTF-8")
    }
    let document: VoiceMemoDocument
    do {
      document = try JSONDecoder().decode(VoiceMemoDocument.self, from: Data(json))
    } catch let error as RuleError {
      throw error
    } catch {
      throw RuleError("it is not in a form that Holdfast knows")
    }
    language = document.language
    runs = []
    var bytes = 0
    let day = Double(TranscriptSegment.lastTime / 1000)
    let last = min(day, (end ?? day) + Self.tolerance)
    for (text, times) in document.runs {
      bytes += text.utf8.count
      guard bytes <= Transcript.largestText else {
        throw RuleError("it has more than \(Transcript.largestText) bytes of text")
      }
      guard !text.unicodeScalars.contains(where: \.isNeverSpoken) else {
        throw RuleError("it has control characters")
      }
      var run = Run(text: text)
      if let times {
        guard times.count == 2, times[0] >= 0, times[0] <= times[1], times[1] <= last else {
          throw RuleError("its times are not within the recording")
        }
        run.times = Int((times[0] * 1000).rounded())...Int((times[1] * 1000).rounded())
      }
      runs.append(run)
    }
    if runs.allSatisfy({ $0.text.nonBlank == nil }) { runs = [] }
  }

  /// Makes the error for a stored transcript that is too large to be read.
  package static func tooLarge(_ bytes: Int) -> RuleError {
    RuleError("it has \(bytes) bytes; at most \(mostBytes) are allowed")
  }
}

// A worker sends it in few values: JSON with a value for each word would take longer than all the
// rest.
extension PhoneTranscript: Codable {
  private enum CodingKeys: CodingKey { case language, text, pieces }

  /// Reads the texts as one, and of each piece: its length in bytes of UTF-8, its beginning plus 1,
  /// and its length in time; or its length and 0.
  package init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    language = try values.decodeIfPresent(String.self, forKey: .language)
    let text = try values.decode(String.self, forKey: .text)
    var rest = text.utf8[...]
    var bytes = try values.decode(Data.self, forKey: .pieces)[...]
    runs = []
    while let length = WordTimes.number(&bytes) {
      guard runs.count < Self.mostRuns, length <= rest.count,
        let text = String(rest.prefix(length)),
        let start = WordTimes.number(&bytes)
      else { throw Self.malformed(decoder) }
      var run = Run(text: text)
      if start > 0 {
        guard let duration = WordTimes.number(&bytes) else { throw Self.malformed(decoder) }
        run.times = start - 1...start - 1 + duration
      }
      rest = rest.dropFirst(length)
      runs.append(run)
    }
  }

  package func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encodeIfPresent(language, forKey: .language)
    try values.encode(runs.map(\.text).joined(), forKey: .text)
    var pieces = Data()
    for run in runs {
      let times = run.times.map { [$0.lowerBound + 1, $0.upperBound - $0.lowerBound] } ?? [0]
      for number in [run.text.utf8.count] + times {
        pieces.append(contentsOf: WordTimes.groups(of: number))
      }
    }
    try values.encode(pieces, forKey: .pieces)
  }

  private static func malformed(_ decoder: any Decoder) -> DecodingError {
    .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "no transcript"))
  }
}

extension Unicode.Scalar {
  /// Whether no phone writes this for speech: control characters, and those that turn the direction
  /// of text around. Marks of direction, which Arabic and Hebrew text can have, are removed later.
  fileprivate var isNeverSpoken: Bool {
    switch value {
    case 0x09, 0x0A, 0x0D: false
    case 0..<0x20, 0x7F..<0xA0, 0x202A...0x202E, 0x2066...0x2069: true
    default: false
    }
  }
}

/// The JSON of Voice Memos: an encoded `AttributedString`, in which each piece of text has its time
/// behind it, or a number that names its time in a table.
private struct VoiceMemoDocument: Decodable {
  /// The pieces, with beginning and end in seconds.
  var runs: [(text: String, times: [Double]?)] = []
  var language: String?

  private enum CodingKeys: CodingKey { case attributedString, locale }
  private enum TableKeys: CodingKey { case attributeTable, runs }
  private enum AttributeKeys: CodingKey { case timeRange }
  private struct Attributes: Decodable {
    var timeRange: [Double]?

    /// Reads the attributes. Decoding an array as such takes twice as long.
    init(from decoder: any Decoder) throws {
      let values = try decoder.container(keyedBy: AttributeKeys.self)
      guard values.contains(.timeRange), try !values.decodeNil(forKey: .timeRange) else { return }
      var list = try values.nestedUnkeyedContainer(forKey: .timeRange)
      var times: [Double] = []
      while !list.isAtEnd { times.append(try list.decode(Double.self)) }
      timeRange = times
    }
  }
  private struct Locale: Decodable { var identifier: String? }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    language = (try? values.decode(Locale.self, forKey: .locale))?.identifier
    if var list = try? values.nestedUnkeyedContainer(forKey: .attributedString) {
      try read(&list)
    } else if let text = try? values.decode(String.self, forKey: .attributedString) {
      // Empty, if the phone heard no words.
      runs = [(text, nil)]
    } else {
      let tables = try values.nestedContainer(keyedBy: TableKeys.self, forKey: .attributedString)
      var list = try tables.nestedUnkeyedContainer(forKey: .runs)
      try read(&list, try tables.decode([Attributes].self, forKey: .attributeTable))
    }
  }

  /// Reads texts and their attributes in turn.
  private mutating func read(
    _ list: inout any UnkeyedDecodingContainer, _ table: [Attributes]? = nil
  ) throws {
    var isTimed = true
    while !list.isAtEnd {
      if !isTimed, let attributes = try attributes(in: &list, table) {
        runs[runs.count - 1].times = attributes.timeRange
        isTimed = true
        continue
      }
      guard runs.count < PhoneTranscript.mostRuns else {
        throw RuleError("it has more than \(PhoneTranscript.mostRuns) pieces of text")
      }
      runs.append((try list.decode(String.self), nil))
      isTimed = false
    }
  }

  private func attributes(
    in list: inout any UnkeyedDecodingContainer, _ table: [Attributes]?
  ) throws -> Attributes? {
    guard let table else { return try? list.decode(Attributes.self) }
    guard let number = try? list.decode(Int.self) else { return nil }
    guard table.indices.contains(number) else {
      throw RuleError("it is not in a form that Holdfast knows")
    }
    return table[number]
  }
}
