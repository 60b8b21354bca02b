package import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastCravings

extension Usage: ShownRecord {
  package static var journal: Journal? { nil }
  package static var singular: String { "entry" }
  package static var plural: String { "entries" }
  package static var idHelp: ArgumentHelp {
    "The usage's id, or at least four characters of its beginning."
  }
  package static var showAbstract: String { "Show everything known about a usage." }
  package static var deleteAbstract: String { "Delete usage." }

  package var line: String { [what, context.nonBlank].compactMap(\.self).joined(separator: "; ") }

  private var what: String { "\(method.text(amount)) (\(method.rawValue))" }

  package func details(in library: Library) -> [Detail] {
    [
      ("id", id.uuidString), ("when", localText), ("method", method.rawValue),
      ("amount", method.text(amount)),
    ] + contextDetails
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.localText), .init("WHAT", \.what), .init("TRIGGERS, PLACE", \.context),
      .init("NOTES") { $0.notes ?? "" },
    ]
  }
}

extension UsageMethod {
  /// The methods with the amounts to choose from, one on each line, for a command's help.
  static let explained = allCases.map { method in
    let numbers = method.amounts.dropLast().map(number).joined(separator: ", ")
    return "\(method.rawValue): \(numbers) or \(method.text(method.range.upperBound))."
  }.joined(separator: "\n")

  static func amount(_ text: String) throws(RuleError) -> Double {
    guard let amount = Double(text), amount.isFinite else {
      throw RuleError("\"\(text.escapedForDisplay)\" is not an amount; write a number such as 1.5")
    }
    return amount
  }
}
