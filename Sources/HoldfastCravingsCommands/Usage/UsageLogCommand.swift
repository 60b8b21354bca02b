import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct NewUsage: NewRecord {
  static let verb = RecordVerb(
    "log", done: "logged", abstract: "Log a usage.",
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

  var changes: [Change<Usage>?] { [.moment(entry.time)] }

  func record(now: Date) throws -> Usage {
    Usage(
      timestamp: now, method: method, amount: amount, triggers: TriggerSet(entry.triggers),
      location: try entry.place, notes: entry.notes, createdAt: now)
  }
}
