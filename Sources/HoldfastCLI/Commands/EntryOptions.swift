internal import ArgumentParser
internal import Foundation
internal import HoldfastModel

/// The options that describe a craving or a usage.
struct EntryOptions: ParsableArguments {
  @Option(
    name: .customLong("trigger"),
    help: triggerHelp("What brought it on; may be given more than once."),
    completion: Trigger.completion, transform: { try Trigger(named: $0) })
  var triggers: [Trigger] = []

  // Unconditional, because coordinates south of the equator begin with a dash, and notes may too.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Where: \(Location.Place.words), or latitude,longitude.", valueName: "location"))
  var location: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Your notes about it; at most \(Entry.longestNotes) characters.", valueName: "notes"))
  var notes: String?

  @Option(
    help: ArgumentHelp(
      """
      When: 15:42, "2025-10-25 15:42" or 2025-10-25T15:42+02:00, in this machine's time zone \
      unless you give another as an offset or by its name, such as Europe/Berlin.
      """, valueName: "time"),
    transform: { try GivenTime($0) })
  var at: GivenTime?

  func validate() throws {
    try validating {
      _ = try place
      try Entry.validate(notes: notes)
    }
  }

  /// The location; `nil` if none or an empty text was given.
  var place: Location? {
    get throws { try location?.nonBlank.map { try Location($0) } }
  }

  /// Changes the parts of an entry for which an option was given.
  ///
  /// - Parameters:
  ///   - entry: A craving or a usage.
  ///   - dropsTriggers: Whether to remove the entry's triggers when no trigger is given.
  func change(_ entry: inout some LoggedEntry, dropsTriggers: Bool) throws {
    if let at {
      entry.timestamp = at.moment.roundedToMillisecond
      entry.timestampOffset = at.offset
    }
    if dropsTriggers || !triggers.isEmpty { entry.triggers = TriggerSet(triggers) }
    if location != nil { entry.location = try place }
    if let notes { entry.notes = notes.nonBlank }
  }

  /// Whether any of the options was given.
  var isGiven: Bool { !triggers.isEmpty || location != nil || notes != nil || at != nil }

  /// The current time: the one by which ``at`` was read, so that a time that was valid then does not
  /// change its day.
  var now: Date { at?.now ?? Date() }
}

/// A time that a person gave.
struct GivenTime {
  /// The time.
  var moment: Date
  /// The offset of its time zone, in minutes east of Greenwich.
  var offset: Int
  /// The current time when it was read.
  var now: Date

  /// Reads a time from an argument. It must not be in the future.
  init(_ text: String) throws(RuleError) {
    now = Date()
    (moment, offset) = try Entry.moment(text, now: now)
    try Entry.validate(timestamp: moment, now: now)
  }
}

/// The options that choose the entries of a list.
struct EntryListOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How many days to look back (default: all).", valueName: "days"))
  var days: Int?

  @Option(
    help: triggerHelp("Only entries with this trigger."), completion: Trigger.completion,
    transform: { try Trigger(named: $0) })
  var trigger: Trigger?

  @Option(parsing: .unconditional, help: "How many to list at most.")
  var limit = 20

  @Option(parsing: .unconditional, help: "How many to skip first.")
  var offset = 0

  @Flag(help: "Print only the totals; --limit and --offset do not change them.")
  var summary = false

  func validate() throws {
    if limit < 0 || offset < 0 {
      throw ValidationError("--limit and --offset must not be negative.")
    }
    try Self.validate(days: days)
  }

  static func validate(days: Int?) throws {
    guard let days, !(1...36_500).contains(days) else { return }
    throw ValidationError("--days \(days): give 1 to 36500 days.")
  }

  /// The time of the oldest entry to show; `nil` for no limit.
  var since: Date? { Self.since(days: days) }

  static func since(days: Int?) -> Date? {
    days.map { Date(timeIntervalSinceNow: -86_400 * Double($0)) }
  }
}

/// Returns the help for an option that takes a trigger: the sentence, then the triggers in the order
/// in which to offer them.
func triggerHelp(_ sentence: String) -> ArgumentHelp {
  let (primary, secondary) = (Trigger.primary, Trigger.secondary)
  return ArgumentHelp(
    """
    \(sentence) Primary triggers: \(primary.map(\.rawValue).joined(separator: ", ")). Secondary \
    triggers: \(secondary.map(\.rawValue).joined(separator: ", ")).
    """, valueName: "trigger")
}

extension Trigger {
  /// What a shell offers for an option that takes a trigger, in the same order.
  static var completion: CompletionKind { .list((primary + secondary).map(\.rawValue)) }
}

/// Runs `check`, and turns an error about a broken rule into one about the usage of the command.
func validating(_ check: () throws -> Void) throws {
  do { try check() } catch let error as RuleError { throw ValidationError(error.description) }
}
