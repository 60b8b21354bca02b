/// The reason why a value breaks a rule of the library: one sentence that names the value and what
/// is allowed.
public struct RuleError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The sentence for a person to read.
  public var description: String

  /// Makes an error from its sentence.
  public init(_ description: String) { self.description = description }
}

extension String {
  /// Refuses a text that is too long for its column, or that has a NUL, at which SQLite would cut
  /// it.
  ///
  /// - Parameters:
  ///   - subject: The start of the sentence, such as "the title has".
  ///   - limit: The most Unicode scalars that the text may have, as SQLite's `length()` counts
  ///     them.
  /// - Throws: ``RuleError`` with the figure.
  public func validate(_ subject: String, limit: Int) throws(RuleError) {
    let count = unicodeScalars.count
    guard count <= limit else {
      throw RuleError("\(subject) \(count) characters; at most \(limit) are allowed")
    }
    guard !unicodeScalars.contains("\0") else {
      throw RuleError("\(subject) a NUL character; remove it")
    }
  }

  /// This text, or `nil` if it is empty or only white space.
  public var nonBlank: String? {
    unicodeScalars.allSatisfy(\.properties.isWhitespace) ? nil : self
  }
}
