import Foundation

/// The times of the words of a segment as a short text: about three bytes for a word, in Base64.
///
/// For each word: the pause before it, its length in time, and its length in bytes of UTF-8 with
/// the white space before it. Times are in steps of 10 ms, as transcribers count; each number is
/// stored in groups of seven bits, the lowest first.
enum WordTimes {
  static let step = 10

  /// Encodes the times of words that make up a segment's text, in their order.
  static func text(of words: [SpokenWord]) -> String? {
    var bytes: [UInt8] = []
    var last = 0
    for word in words {
      let (start, end) = (word.startTime / step, word.endTime / step)
      guard start >= last, end >= start else { return nil }
      for number in [start - last, end - start, word.text.utf8.count] {
        bytes.append(contentsOf: groups(of: number))
      }
      last = end
    }
    return bytes.isEmpty ? nil : Data(bytes).base64EncodedString()
  }

  /// Returns the words of a segment's text with their times; none if they do not fit the text.
  static func words(of text: String, _ times: String) -> [SpokenWord] {
    guard let data = Data(base64Encoded: times) else { return [] }
    var bytes = data[...]
    var rest = text.utf8[...]
    var words: [SpokenWord] = []
    var last = 0
    while !bytes.isEmpty {
      guard let pause = number(&bytes), let duration = number(&bytes), let length = number(&bytes),
        length > 0, length <= rest.count, let word = String(rest.prefix(length))
      else { return [] }
      rest = rest.dropFirst(length)
      let start = last + pause
      last = start + duration
      words.append(SpokenWord(word, startTime: start * step, endTime: last * step))
    }
    return rest.isEmpty ? words : []
  }

  static func groups(of number: Int) -> [UInt8] {
    var (number, groups) = (number, [UInt8]())
    while number > 0x7F {
      groups.append(UInt8(number & 0x7F) | 0x80)
      number >>= 7
    }
    return groups + [UInt8(number)]
  }

  /// Reads a number of at most 28 bits; `nil` at the end.
  static func number(_ bytes: inout Data.SubSequence) -> Int? {
    var number = 0
    for shift in [0, 7, 14, 21] {
      guard let byte = bytes.popFirst() else { return nil }
      number |= Int(byte & 0x7F) << shift
      if byte < 0x80 { return number }
    }
    return nil
  }
}
