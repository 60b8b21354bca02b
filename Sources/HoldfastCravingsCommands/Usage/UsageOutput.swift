internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastCravings
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
  /// The methods with the amounts to choose from, one on each line, for a command's help.
  static let explained = allCases.map { method in
    let numbers = method.amounts.dropLast().map(number).joined(separator: ", ")
    return "\(method.rawValue): \(numbers) or \(method.text(method.range.upperBound))."
  }.joined(separator: "\n")

  /// Reads an amount from an argument.
  static func amount(_ text: String) throws(RuleError) -> Double {
    guard let amount = Double(text), amount.isFinite else {
      throw RuleError("\"\(text.escapedForDisplay)\" is not an amount; write a number such as 1.5")
    }
    return amount
  }
}
