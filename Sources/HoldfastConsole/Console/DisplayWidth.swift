import CLinux
import Glibc

extension String {
  /// The width of the text in terminal cells: two for a wide East Asian character or an emoji, none
  /// for an accent.
  package var displayWidth: Int {
    if isPlain { return utf8.count }
    return CharacterTypes.inUTF8 { reduce(0) { $0 + $1.displayWidth } }
  }

  /// Returns the text if it fits into this many cells on any terminal, else its beginning with an
  /// ellipsis.
  package func cut(toDisplayWidth limit: Int) -> String {
    if isPlain, utf8.count <= limit { return self }
    return CharacterTypes.inUTF8 {
      var width = 0
      // The end of the text that leaves a cell for the ellipsis.
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
  fileprivate var displayWidth: Int { isJoinedEmoji ? 2 : widthOfParts }

  /// The greatest width of the character in cells. Not all terminals join emojis.
  fileprivate var widestDisplay: Int { isJoinedEmoji ? max(2, widthOfParts) : widthOfParts }

  /// The sum of the widths of the scalars. A combining mark takes no cell, but a vowel sign may.
  private var widthOfParts: Int {
    unicodeScalars.reduce(0) { width, scalar in
      let cells = holdfast_cells(scalar.value)
      // Terminals most likely show an unknown character as a box of one cell.
      return width + (cells < 0 ? 1 : Int(cells))
    }
  }

  /// Whether several scalars make one emoji: a sign with the selector for its coloured picture, a
  /// person with a skin colour, a family. The two letters of a flag take a cell each, and need no
  /// rule.
  private var isJoinedEmoji: Bool {
    guard let first = unicodeScalars.first, first.properties.isEmoji else { return false }
    return unicodeScalars.dropFirst().contains {
      $0.value == 0xFE0F || $0.value == 0x200D || $0.properties.isEmojiModifier
    }
  }
}

/// The character types of the C library, which depend on the locale.
private enum CharacterTypes {
  // SAFETY: a locale is made once and never changed; any thread may use it.
  private nonisolated(unsafe) static let utf8 = unsafe newlocale(1 << LC_CTYPE, "C.UTF-8", nil)

  /// Calls `body` with this thread in a UTF-8 locale, whatever the user's own locale is.
  ///
  /// The corresponding C function is `uselocale`.
  static func inUTF8<Value>(_ body: () -> Value) -> Value {
    guard let utf8 = unsafe utf8 else { return body() }
    let own = unsafe uselocale(utf8)
    defer { unsafe uselocale(own) }
    return body()
  }
}
