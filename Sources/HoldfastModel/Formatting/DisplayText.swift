extension String {
  /// This text with everything that a terminal would act upon, or that would reorder what a
  /// person reads, written out as `\u{…}`: control characters, bidirectional overrides, line and
  /// paragraph separators.
  ///
  /// File names come from strangers; they are shown, never obeyed.
  public var escapedForDisplay: String {
    escaped { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
  }

  /// This text with each such scalar, all of which have four digits at most, written out by `escape`.
  func escaped(_ escape: (Unicode.Scalar) -> String) -> String {
    guard unicodeScalars.contains(where: { $0.isActive }) else { return self }
    var result = ""
    for scalar in unicodeScalars {
      if scalar.isActive {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

extension Unicode.Scalar {
  /// Whether a terminal or a reader's eye would be led astray by this scalar.
  fileprivate var isActive: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
