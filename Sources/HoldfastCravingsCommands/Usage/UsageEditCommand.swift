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

  @Argument(help: "The usage's id, or at least four characters of its beginning.")
  var id: String

  @Option(
    help: ArgumentHelp("In which form: \(UsageMethod.words).", valueName: "method"),
    transform: { try UsageMethod(named: $0) })
  var method: UsageMethod?

  @Option(
    help: ArgumentHelp("How much, in the method's unit.", valueName: "amount"),
    transform: { try UsageMethod.amount($0) })
  var amount: Double?

  @OptionGroup var entry: EntryOptions

  @Flag(help: "Remove all triggers.")
  var noTriggers = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if noTriggers, !entry.triggers.isEmpty {
      throw ValidationError("--no-triggers and --trigger contradict each other.")
    }
    if method == nil, amount == nil, !noTriggers, !entry.isGiven {
      throw ValidationError(
        "Name what to change: --method, --amount, --trigger, --no-triggers, --location, --notes or "
          + "--at.")
    }
  }

  func run() throws {
    let library = try common.openLibraryToWrite()
    let now = entry.now
    let usage = try library.edit(Usage.self, id: library.record(Usage.self, idPrefix: id).id, now: now) { usage in
      if let method { usage.method = method }
      if let amount { usage.amount = amount }
      try entry.change(&usage, dropsTriggers: noTriggers)
    }
    if entry.at != nil { common.console.warnIfOld(usage.timestamp, now: now) }
    try common.console.show(usage, "changed")
  }
}
