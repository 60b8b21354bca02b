import ArgumentParser
import Foundation
import HoldfastConsole
import HoldfastCravings
import HoldfastModel

struct EntryOptions: ParsableArguments {
  @Option(
    name: .customLong("trigger"),
    help: triggerHelp("What brought it on; may be given more than once."),
    completion: Trigger.completion, transform: { try Trigger(named: $0) })
  var triggers: [Trigger] = []

  // Unconditional, because coordinates south of the equator begin with a dash, and notes may too.
  @Option(
    unconditional: "Where: \(Location.Place.words), or latitude,longitude.", valueName: "location")
  var location: String?

  @Option(
    unconditional: "Your notes about it; at most \(Entry.longestNotes) characters.",
    valueName: "notes")
  var notes: String?

  @OptionGroup var time: TimeOption

  func validate() throws {
    try validating {
      _ = try place
      try Entry.validate(notes: notes)
    }
  }

  /// The location; `nil` for none or an empty text.
  var place: Location? {
    get throws { try location?.nonBlank.map { try Location($0) } }
  }

  var at: GivenTime? { time.at }

  var now: Date { time.now }
}

struct EntryChanges: ParsableArguments {
  @OptionGroup var entry: EntryOptions

  @Flag(help: "Remove all triggers.")
  var noTriggers = false

  func validate() throws {
    if noTriggers, !entry.triggers.isEmpty {
      throw ValidationError("--no-triggers and --trigger contradict each other.")
    }
  }

  /// The changes that the options ask for.
  func changes<Record: LoggedEntry>() -> [Change<Record>?] {
    [
      .moment(entry.time),
      .set(noTriggers || !entry.triggers.isEmpty ? entry.triggers : nil) {
        $0.triggers = TriggerSet($1)
      },
      .set(entry.location) { record, _ in record.location = try entry.place },
      .text(\.notes, entry.notes),
    ]
  }
}

struct EntryListOptions: ParsableArguments {
  @Option(unconditional: "How many days to look back (default: all).", valueName: "days")
  var days: Int?

  @Option(
    help: triggerHelp("Only entries with this trigger."), completion: Trigger.completion,
    transform: { try Trigger(named: $0) })
  var trigger: Trigger?

  @OptionGroup var page: PageOptions

  @Flag(help: "Print only the totals; --limit and --offset do not change them.")
  var summary = false

  func validate() throws { try DayCount.validate(days) }

  /// The time of the oldest entry to show; `nil` for no limit.
  var since: Date? { DayCount.since(days) }
}

/// Returns the help for an option that takes a trigger: the sentence, then the triggers in the
/// order in which to offer them.
func triggerHelp(_ sentence: String) -> ArgumentHelp {
  let (primary, secondary) = (Trigger.primary, Trigger.secondary)
  return ArgumentHelp(
    """
    \(sentence) Primary triggers: \(primary.map(\.rawValue).joined(separator: ", ")). Secondary \
    triggers: \(secondary.map(\.rawValue).joined(separator: ", ")).
    """, valueName: "trigger")
}

extension Trigger {
  /// The words that a shell offers for an option that takes a trigger, in the same order.
  static var completion: CompletionKind { .list((primary + secondary).map(\.rawValue)) }
}
