internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast usage log`
struct UsageLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Log a usage.",
    discussion: "Amounts to choose from:\n\(UsageMethod.explained)")

  @Option(
    help: ArgumentHelp("In which form: \(UsageMethod.words).", valueName: "method"),
    transform: { try UsageMethod(named: $0) })
  var method: UsageMethod

  @Option(
    help: ArgumentHelp("How much, in the method's unit.", valueName: "amount"),
    transform: { try UsageMethod.amount($0) })
  var amount: Double

  @OptionGroup var entry: EntryOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try method.validate(amount) } }

  func run() throws {
    let console = common.console
    let library = try common.openLibraryToWrite()
    let now = entry.now
    let usage = Usage(
      timestamp: entry.at?.moment ?? now, timestampOffset: entry.at?.offset, method: method,
      amount: amount,
      triggers: TriggerSet(entry.triggers), location: try entry.place, notes: entry.notes,
      createdAt: now)
    try library.add(usage, now: now)
    console.warnIfOld(usage.timestamp, now: now)
    try console.show(usage, "logged")
  }
}
