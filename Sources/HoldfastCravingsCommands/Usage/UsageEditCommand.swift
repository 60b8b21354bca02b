internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast usage edit`
struct UsageEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a usage; only what you name changes.",
    discussion: """
      An empty --location or --notes removes it.

      Amounts to choose from:
      \(UsageMethod.explained)
      """)

  @OptionGroup var record: RecordArgument<Usage>

  @Option(
    help: ArgumentHelp("In which form: \(UsageMethod.words).", valueName: "method"),
    transform: { try UsageMethod(named: $0) })
  var method: UsageMethod?

  @Option(
    help: ArgumentHelp("How much, in the method's unit.", valueName: "amount"),
    transform: { try UsageMethod.amount($0) })
  var amount: Double?

  @OptionGroup var changes: EntryChanges
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if method == nil, amount == nil, !changes.isGiven {
      throw ValidationError(
        "Name what to change: --method, --amount, --trigger, --no-triggers, --location, --notes or "
          + "--at.")
    }
  }

  func run() throws {
    try common.edit(record, time: changes.entry.time, of: \.timestamp) { usage in
      if let method { usage.method = method }
      if let amount { usage.amount = amount }
      try changes.change(&usage)
    }
  }
}
