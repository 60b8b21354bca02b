import Foundation

/// The words that a phone heard, as it stored them in the recording's own file.
package struct PhoneTranscript: Codable, Hashable, Sendable {
  /// A piece of the text, usually a word.
  package struct Run: Codable, Hashable, Sendable {
    /// The text, with the white space around it.
    package var text: String
    /// When it was said, in seconds on the file's clock; `nil` if unknown.
    package var times: ClosedRange<Double>?
  }

  /// The language as the phone names it, such as `en_US`; `nil` if unknown.
  package var language: String?
  /// The pieces whose texts together are the transcript. None if the phone heard no words.
  package var runs: [Run]

  /// The most bytes of a stored transcript that are read.
  package static let mostBytes = 2_000_000
  /// The most pieces.
  package static let mostRuns = 20_000
  /// How far the last word may reach beyond the end of the recording, in seconds.
  private static let tolerance = 1.0
  private static let times = 0...Double(TranscriptSegment.lastTime / 1000)

  /// Whether every value is one that a file can have, and small enough to work with.
  var isPlausible: Bool {
    runs.count <= Self.mostRuns && (language?.utf8.count ?? 0) <= Self.mostBytes
      && runs.reduce(0) { $0 + $1.text.utf8.count } <= Self.mostBytes
      && runs.allSatisfy {
        $0.times.map { Self.times.contains($0.lowerBound) && Self.times.contains($0.upperBound) }
          ?? true
      }
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
    let last = end.map { min($0 + Self.tolerance, Self.times.upperBound) } ?? Self.times.upperBound
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
        run.times = times[0]...times[1]
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
  private struct Attributes: Decodable { var timeRange: [Double]? }
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
