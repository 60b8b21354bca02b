internal import ArgumentParser
internal import HoldfastModel

extension Usage {
  /// The amount with its unit, and its method.
  var what: String { "\(method.text(amount)) (\(method.rawValue))" }

  /// The usage as one line of text.
  var line: String { [what, context.nonBlank].compactMap { $0 }.joined(separator: "; ") }
}

extension Console {
  /// Prints a usage that was made or changed.
  func show(_ usage: Usage, _ done: String) throws {
    if isJSON { return try json(usage) }
    result("\(colored(done, .green))  \(usage.id.short)  \(usage.line)")
  }
}

extension UsageMethod {
  /// The methods with their ranges of amounts, for a command's help.
  static let explained = allCases.map { method in
    let least = method.range.lowerBound
    let number = least == least.rounded() ? "\(Int(least))" : "\(least)"
    return "\(method.rawValue) \(number) to \(method.text(method.range.upperBound))"
  }.joined(separator: ", ")

  /// Reads an amount from an argument.
  static func amount(_ text: String) throws(RuleError) -> Double {
    guard let amount = Double(text), amount.isFinite else {
      throw RuleError("\"\(text.escapedForDisplay)\" is not an amount; write a number such as 1.5")
    }
    return amount
  }
}
