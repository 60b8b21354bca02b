extension String {
  /// This text with every unsafe character written out as `\u{…}`.
  ///
  /// Unsafe characters are those that a terminal would act on, or that would reorder what a person
  /// reads: control characters, bidirectional overrides, line and paragraph separators. File names
  /// are untrusted, so they are shown but never obeyed.
  public var escapedForDisplay: String {
    escaped { "\\u{\(String($0.value, radix: 16, uppercase: true))}" }
  }

  /// Returns this text with each unsafe scalar replaced by what `escape` returns for it. All unsafe
  /// scalars have at most four hexadecimal digits.
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
  /// Whether this scalar could mislead a terminal or a reader.
  fileprivate var isActive: Bool {
    switch value {
    case 0..<0x20, 0x7F..<0xA0: true
    case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
    default: false
    }
  }
}
