extension PhoneTranscript {
  /// A pause of this length ends a sentence, in milliseconds.
  private static let longPause = 1000
  /// From this length on, in bytes, a sentence without an end is divided at the next space.
  private static let longSentence = 160

  /// Returns the words that were said in the part of the file that a plan uses, with times from the
  /// beginning of the recording that it makes.
  ///
  /// A word that is cut belongs to the part with its middle, so each word is in one part.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - duration: The recording's length in seconds.
  /// - Returns: The words, in sentences.
  /// - Throws: ``RuleError`` if it is not known which words are in the part, or if there are too
  ///   many sentences.
  package func words(
    for plan: ConversionPlan, duration: Double
  ) throws(RuleError) -> SpokenWords {
    let length = Int((duration * 1000).rounded())
    let segments: [SpokenWords.Segment]
    switch spoken {
    case .untimed(let text):
      guard plan.stretch == nil || text.isEmpty else {
        throw RuleError("it has no times, so nothing tells which words are in this part")
      }
      segments = [.init(startTime: 0, endTime: length, text: text)]
    case .timed(let all):
      // The phone may hear the last words as if they reached beyond the end.
      let (start, last) = (plan.startTime, plan.startTime + max(0, length - 1))
      segments = Self.sentences(
        all.filter { plan.has($0, length: length) }.map {
          SpokenWord(
            $0.text, startTime: min($0.startTime, last) - start,
            endTime: min($0.endTime, last + 1) - start)
        })
    }
    return try SpokenWords(language: language, segments: segments, duration: length)
  }

  private enum Spoken {
    case timed([SpokenWord])
    case untimed(String)
  }

  /// The words with the white space before them. Text without a time belongs to the word before it,
  /// or to the first.
  private var spoken: Spoken {
    var words: [SpokenWord] = []
    var first = ""
    var isApart = false
    for run in runs {
      let scalars = run.text.unicodeScalars
      var core = scalars.drop(while: \.properties.isWhitespace)
      if core.startIndex > scalars.startIndex { isApart = true }
      guard !core.isEmpty else { continue }
      while core.last?.properties.isWhitespace == true { core.removeLast() }
      let text = (isApart ? " " : "") + String(core)
      isApart = core.endIndex < scalars.endIndex
      if let times = run.times {
        words.append(
          SpokenWord(first + text, startTime: times.lowerBound, endTime: times.upperBound))
        first = ""
      } else if words.isEmpty {
        first += text
      } else {
        words[words.count - 1].text += text
      }
    }
    return words.isEmpty ? .untimed(first) : .timed(words)
  }

  private static func sentences(_ words: [SpokenWord]) -> [SpokenWords.Segment] {
    var sentences: [SpokenWords.Segment] = []
    for word in words {
      if let last = sentences.indices.last, !isEnd(of: sentences[last], before: word) {
        sentences[last].text += word.text
        sentences[last].endTime = max(sentences[last].endTime, word.endTime)
        sentences[last].words.append(word)
      } else {
        sentences.append(
          .init(
            startTime: word.startTime, endTime: word.endTime, text: word.text, words: [word]))
      }
    }
    return sentences
  }

  private static func isEnd(of sentence: SpokenWords.Segment, before word: SpokenWord) -> Bool {
    if word.startTime - sentence.endTime >= longPause { return true }
    let isLong = sentence.text.utf8.count >= longSentence
    // Comparing characters takes long, and most words end with a letter.
    if let last = sentence.text.utf8.last, !isLong, 0x61...0x7A ~= last | 0x20 { return false }
    let end = sentence.text.last { !"\"'”’»)」』".contains($0) } ?? " "
    if "。！？".contains(end) { return true }
    return word.text.first == " "
      && (isLong || ".!?…।؟".contains(end))
  }
}

extension ConversionPlan {
  /// When the recording begins on the source's clock, in milliseconds.
  fileprivate var startTime: Int { Self.milliseconds(start) }

  /// Whether a word, on the source's clock, is in the recording.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - length: The recording's length in milliseconds.
  fileprivate func has(_ word: SpokenWord, length: Int) -> Bool {
    let middle = (word.startTime + word.endTime) / 2
    if let from = stretch?.from, middle < Self.milliseconds(from) { return false }
    if let until = stretch?.until { return middle < Self.milliseconds(until) }
    return word.startTime < startTime + length + Int(PhoneTranscript.tolerance * 1000)
  }

  private static func milliseconds(_ time: MediaTime) -> Int {
    Int((max(-1e9, min(time.seconds, 1e9)) * 1000).rounded())
  }
}
