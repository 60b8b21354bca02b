import Foundation

/// The part of a file's name that tells a person what is in the file.
///
/// Cameras, recorders and messengers name files by a word and a number, a date, or a UUID:
/// `IMG_0412.MOV`, `PXL_20250101_120000.mp4`, `New Recording 3.m4a`, `AUD-20240101-WA0001.m4a`,
/// `20250608 074812-8D5A1B2C.m4a`. Such a beginning or end is left out.
struct FileNameTitle {
  /// The text that is worth reading; `nil` if there is none.
  let text: String?

  init(_ fileName: String) {
    let name = Self.withoutExtension(fileName)
    let words = Self.words(of: name)
    guard let range = Self.meaningful(words) else {
      text = nil
      return
    }
    let start = range.lowerBound == 0 ? name.startIndex : words[range.lowerBound].range.lowerBound
    let end =
      range.upperBound == words.count ? name.endIndex : words[range.upperBound - 1].range.upperBound
    text =
      name[start..<end].replacing("_", with: " ")
      .trimmingCharacters(in: .whitespacesAndNewlines).nonBlank
  }

  fileprivate enum Kind {
    /// A word of a person.
    case word
    /// A word that only a device writes, with or without its number: `IMG`, `wa0001`.
    case code(hasNumber: Bool)
    /// A word that devices and people write: `Recording`.
    case common
    case number(digits: Int)
    /// Part of a UUID or of a hash.
    case hash
  }

  fileprivate struct Word {
    var range: Range<String.Index>
    var kind: Kind
  }

  private static func withoutExtension(_ name: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      2...5 ~= name.distance(from: dot, to: name.endIndex),
      name[dot...].dropFirst().allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) })
    else { return name }
    return String(name[..<dot])
  }

  private static func words(of name: String) -> [Word] {
    var words: [Word] = []
    var start: String.Index?
    func end(_ index: String.Index) {
      guard let first = start else { return }
      words.append(Word(range: first..<index, kind: kind(of: name[first..<index])))
      start = nil
    }
    for index in name.indices {
      let character = name[index]
      if character.isLetter || character.isNumber || "'’".contains(character) {
        if start == nil { start = index }
      } else {
        end(index)
      }
    }
    end(name.endIndex)
    markUUIDs(&words, in: name)
    return words
  }

  private static func kind(of word: Substring) -> Kind {
    let isASCII = word.utf8.allSatisfy { $0 < 0x80 }
    let digits = word.utf8.count { 0x30...0x39 ~= $0 }
    if isASCII, digits == word.utf8.count { return .number(digits: digits) }
    let lower = word.lowercased()
    if codes.contains(lower) { return .code(hasNumber: false) }
    if common.contains(lower) { return .common }
    guard isASCII, digits > 0 else { return .word }
    if word.utf8.count >= 8, word.allSatisfy(\.isHexDigit) { return .hash }
    let letters = String(lower.prefix { !$0.isNumber })
    let isCounted = lower.dropFirst(letters.count).allSatisfy(\.isNumber)
    if isCounted, codes.contains(letters) { return .code(hasNumber: true) }
    if isCounted, common.contains(letters), digits >= 2 { return .code(hasNumber: true) }
    return .word
  }

  /// Marks words of 8, 4, 4, 4 and 12 hexadecimal digits, whether or not they have digits.
  private static func markUUIDs(_ words: inout [Word], in name: String) {
    let lengths = [8, 4, 4, 4, 12]
    guard words.count >= lengths.count else { return }
    for first in 0...words.count - lengths.count {
      let isUUID = lengths.indices.allSatisfy { index in
        let word = name[words[first + index].range]
        return word.utf8.count == lengths[index] && word.allSatisfy(\.isHexDigit)
      }
      guard isUUID else { continue }
      for index in lengths.indices { words[first + index].kind = .hash }
    }
  }

  /// Returns the words without a device's at the beginning and the end; `nil` if none are left that
  /// a person would read.
  private static func meaningful(_ words: [Word]) -> Range<Int>? {
    guard
      words.contains(where: {
        if case .word = $0.kind { true } else { false }
      })
    else { return nil }
    let head = words.prefix { !$0.isWord }.count
    let tail = words.reversed().prefix { !$0.isWord }.count
    let start = isDevices(words.prefix(head), mayBeCommon: true) ? head : 0
    let end = isDevices(words.suffix(tail), mayBeCommon: false) ? words.count - tail : words.count
    return start..<end
  }

  /// Whether a device wrote these words: they have a word for its files and a number, or a date.
  private static func isDevices(_ words: ArraySlice<Word>, mayBeCommon: Bool) -> Bool {
    var (hasName, digits) = (false, 0)
    for word in words {
      switch word.kind {
      case .word: break
      case .code(let hasNumber):
        hasName = true
        if hasNumber { return true }
      case .common: if mayBeCommon { hasName = true }
      case .number(let count): digits += count
      case .hash: return true
      }
    }
    return digits >= (hasName ? 1 : 6)
  }

  private static let codes: Set<String> = [
    "img", "imge", "pxl", "vid", "mvi", "mov", "dsc", "dscn", "dscf", "dji", "gopr", "gh", "gx",
    "aud", "ptt", "wa", "rec", "wp", "cimg", "sam", "trim", "screenrecording", "rpreplay",
    "fullsizerender", "e", "ts",
  ]

  private static let common: Set<String> = [
    "new", "recording", "recorder", "record", "voice", "memo", "audio", "video", "sound", "clip",
    "movie",
    "file", "track", "untitled", "whatsapp", "signal", "telegram", "screen", "camera", "capture",
    "copy", "final", "at", "am", "pm", "utc", "call", "note", "message", "ptt", "part",
    "aufnahme", "neue", "sprachmemo", "um", "nouvel", "nouveau", "enregistrement", "nueva",
    "nuevo", "grabación", "grabacion", "registrazione", "nuova",
  ]
}

extension FileNameTitle.Word {
  fileprivate var isWord: Bool {
    if case .word = kind { true } else { false }
  }
}
