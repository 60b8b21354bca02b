import Foundation

/// The document that a transcriber wrote about one recording, which may hold anything.
///
/// whisper.cpp's documents (`whisper-cli -ojf`) and those of OpenAI's Whisper, which
/// whisper-ctranslate2 writes too, are read.
package enum TranscriberDocument {
  /// The most bytes of a document that are read.
  package static let mostBytes = 1_000_000

  /// Returns the words of a document. Words that were invented for silence are left out.
  ///
  /// - Parameters:
  ///   - bytes: The document.
  ///   - sound: The sound that the transcriber was given. No word begins before something is heard.
  ///   - duration: The recording's length in milliseconds.
  /// - Throws: ``RuleError`` in one sentence for anything but a complete document.
  package static func words(
    in bytes: [UInt8], of sound: DecodedSound, duration: Int
  ) throws(RuleError) -> SpokenWords {
    guard bytes.count <= mostBytes else {
      throw RuleError("it wrote more than \(mostBytes) bytes")
    }
    guard !bytes.isEmpty else { throw RuleError("it wrote an empty document") }
    // whisper.cpp writes each token by itself, and a token may be a part of a character.
    let text = Data(String(decoding: bytes, as: UTF8.self).utf8)
    let decoder = JSONDecoder()
    let document: any Readable
    do {
      let form = try decoder.decode(Form.self, from: text)
      if form.transcription != nil {
        document = try decoder.decode(WhisperCPPDocument.self, from: text)
      } else {
        document = try decoder.decode(WhisperDocument.self, from: text)
      }
    } catch { throw RuleError("it wrote no complete transcript") }
    let segments = document.heard.map {
      $0.shifted(by: sound.startTime, notBefore: sound.firstSound)
    }
    guard !segments.contains(where: { $0.text.unicodeScalars.contains("\u{FFFD}") }) else {
      throw RuleError("it wrote bytes that are not text")
    }
    return try SpokenWords(
      language: document.spokenLanguage, isLanguageDoubtful: document.isLanguageDoubtful,
      segments: segments, duration: duration)
  }

  /// Which of the two forms a document has.
  private struct Form: Decodable {
    struct Ignored: Decodable {
      init(from decoder: any Decoder) {}
    }
    var transcription: [Ignored]?
  }

  fileprivate protocol Readable {
    var spokenLanguage: String? { get }
    var isLanguageDoubtful: Bool { get }
    /// The segments in which something was said.
    var heard: [SpokenWords.Segment] { get }
  }

  /// Returns whole milliseconds, also for numbers that no time can be.
  fileprivate static func milliseconds(_ seconds: Double) -> Int {
    seconds.isFinite ? Int(min(max(seconds, -1e6), 1e6) * 1000 + 0.5) : 0
  }
}

extension SpokenWords.Segment {
  fileprivate func shifted(by start: Int, notBefore first: Int) -> SpokenWords.Segment {
    func shifted(_ time: Int) -> Int { max(time + start, first) }
    return SpokenWords.Segment(
      startTime: shifted(startTime), endTime: shifted(endTime), text: text,
      words: words.map {
        SpokenWord($0.text, startTime: shifted($0.startTime), endTime: shifted($0.endTime))
      })
  }

  /// Whether it has a letter or a digit. Engines write "…" or "♪" for noise. Bytes that are not
  /// text count, so that they are refused.
  fileprivate var hasWords: Bool {
    text.unicodeScalars.contains {
      $0.properties.isAlphabetic || $0.properties.numericType != nil || $0 == "\u{FFFD}"
    }
  }
}

/// A document of OpenAI's Whisper and of whisper-ctranslate2.
private struct WhisperDocument: Decodable, TranscriberDocument.Readable {
  struct Word: Decodable {
    var word: String
    var start: Double
    var end: Double
  }

  struct Segment: Decodable {
    var start: Double
    var end: Double
    var text: String
    var avg_logprob: Double?
    var no_speech_prob: Double?
    var words: [Word]?

    /// The most that real speech had for "no speech" was 0.44. Everything that was invented in
    /// silence, hiss and clicks is on the other side of both limits.
    var isInvented: Bool {
      guard let no_speech_prob, let avg_logprob else { return false }
      return no_speech_prob > 0.6 && avg_logprob < -0.4
    }
  }

  var language: String?
  var language_probability: Double?
  var segments: [Segment]

  var spokenLanguage: String? { language }
  var isLanguageDoubtful: Bool { (language_probability ?? 1) < 0.5 }

  var heard: [SpokenWords.Segment] {
    segments.filter { !$0.isInvented }.map { segment in
      SpokenWords.Segment(
        startTime: TranscriberDocument.milliseconds(segment.start),
        endTime: TranscriberDocument.milliseconds(segment.end), text: segment.text,
        words: (segment.words ?? []).map {
          SpokenWord(
            $0.word, startTime: TranscriberDocument.milliseconds($0.start),
            endTime: TranscriberDocument.milliseconds($0.end))
        })
    }.filter(\.hasWords)
  }
}

/// A document of whisper.cpp, as `whisper-cli -ojf` writes it.
private struct WhisperCPPDocument: Decodable, TranscriberDocument.Readable {
  struct Times: Decodable {
    var from: Double
    var to: Double

    /// The range in milliseconds.
    var range: (Int, Int) {
      (TranscriberDocument.milliseconds(from / 1000), TranscriberDocument.milliseconds(to / 1000))
    }
  }

  struct Token: Decodable {
    var text: String
    var offsets: Times?
    var p: Double?

    /// Whether it stands for a time or a boundary, such as `[_BEG_]`.
    var isMark: Bool { text.hasPrefix("[_") && text.hasSuffix("]") }
  }

  struct Segment: Decodable {
    /// The mean probability of its tokens below which a segment counts as invented. whisper.cpp
    /// does not write how probable silence is.
    static let leastProbability = 0.5

    var offsets: Times
    var text: String
    var tokens: [Token]?

    var spoken: [Token] { (tokens ?? []).filter { !$0.isMark } }

    var isInvented: Bool {
      let probabilities = spoken.compactMap(\.p)
      guard !probabilities.isEmpty else { return false }
      return probabilities.reduce(0, +) / Double(probabilities.count) < Self.leastProbability
    }

    /// The tokens joined to words: a word begins with white space.
    var words: [SpokenWord] {
      var words: [SpokenWord] = []
      for token in spoken {
        guard let (start, end) = token.offsets?.range else { return [] }
        if token.text.first?.isWhitespace == true || words.isEmpty {
          words.append(SpokenWord(token.text, startTime: start, endTime: end))
        } else {
          words[words.count - 1].text += token.text
          words[words.count - 1].endTime = end
        }
      }
      return words
    }
  }

  struct Result: Decodable { var language: String? }

  var result: Result?
  var transcription: [Segment]

  var spokenLanguage: String? { result?.language }
  var isLanguageDoubtful: Bool { false }

  var heard: [SpokenWords.Segment] {
    // What the program invents, it may repeat with ever more certainty.
    var invented: String?
    let segments = transcription.filter { segment in
      let isHeard = !segment.isInvented && segment.text != invented
      invented = isHeard ? nil : segment.text
      return isHeard
    }
    return segments.map { segment in
      let (start, end) = segment.offsets.range
      return SpokenWords.Segment(
        startTime: start, endTime: end, text: segment.text, words: segment.words)
    }.filter(\.hasWords)
  }
}
