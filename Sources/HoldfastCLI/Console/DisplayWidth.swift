internal import CLinux
internal import Glibc

extension String {
  /// How many cells of a terminal the text takes: two for an East Asian wide character or an emoji,
  /// none for an accent.
  var displayWidth: Int {
    if isPlain { return utf8.count }
    return CharacterTypes.inUTF8 { reduce(0) { $0 + $1.displayWidth } }
  }

  /// The text if it takes no more cells than that on any terminal, else its beginning and an
  /// ellipsis.
  func cut(toDisplayWidth limit: Int) -> String {
    if isPlain, utf8.count <= limit { return self }
    return CharacterTypes.inUTF8 {
      var width = 0
      // The beginning that leaves a cell for the ellipsis.
      var end = startIndex
      for index in indices {
        width += self[index].widestDisplay
        if width < limit { end = self.index(after: index) }
        if width > limit { return limit > 0 ? self[..<end] + "…" : "" }
      }
      return self
    }
  }

  private var isPlain: Bool { utf8.allSatisfy { (0x20..<0x7F).contains($0) } }
}

extension Character {
  /// The cells of what is written as one character.
  fileprivate var displayWidth: Int { isJoinedEmoji ? 2 : widthOfParts }

  /// The most cells that a terminal takes for it: not all of them join emojis.
  fileprivate var widestDisplay: Int { isJoinedEmoji ? max(2, widthOfParts) : widthOfParts }

  /// A letter's marks take no cell, but a vowel sign may.
  private var widthOfParts: Int {
    unicodeScalars.reduce(0) { width, scalar in
      let cells = holdfast_cells(scalar.value)
      // What the system does not know is most likely shown as a box.
      return width + (cells < 0 ? 1 : Int(cells))
    }
  }

  /// Whether several scalars make one emoji: a sign that asks for its coloured picture, people with
  /// a skin colour, a family. The two letters of a flag take a cell each, and need no rule.
  private var isJoinedEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return unicodeScalars.dropFirst().contains {
      $0.value == 0xFE0F || $0.value == 0x200D || $0.properties.isEmojiModifier
    }
  }
}

/// What the C library knows of characters, which depends on the locale.
private enum CharacterTypes {
  // SAFETY: a locale is made once and never changed; any thread may use it.
  private nonisolated(unsafe) static let utf8 = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Calls `body` with this thread in a UTF-8 locale: the person's own is none of our business.
  ///
  /// The corresponding C function is `uselocale`.
  static func inUTF8<Value>(_ body: () -> Value) -> Value {
    guard let utf8 = unsafe utf8 else { return body() }
    let own = unsafe uselocale(utf8)
    defer { unsafe uselocale(own) }
    return body()
  }
}
