public import Foundation
public import Holdfast

/// A time of day at which a person wants to be reminded of a habit. Holdfast only keeps it, for
/// another program to show.
public struct HabitReminder: JournalRecord {
  /// The reminder's identity.
  public let id: UUID
  /// The habit.
  public let habitID: UUID
  /// The time of day.
  public var time: TimeOfDay
  /// Whether it is switched on.
  public var isActive: Bool
  /// Its identifier in the program that shows it.
  public var notificationIdentifier: String?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case habitID = "habitId"
    case time, isActive, notificationIdentifier, createdAt, modifiedAt
  }

  /// Makes a reminder.
  public init(
    id: UUID = UUID(), habitID: UUID, time: TimeOfDay, isActive: Bool = true,
    notificationIdentifier: String? = nil, createdAt: Date
  ) {
    self.id = id
    self.habitID = habitID
    self.time = time
    self.isActive = isActive
    self.notificationIdentifier = notificationIdentifier
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try notificationIdentifier?.validate("the reminder's notification identifier has", limit: 200)
  }

  /// How the registry treats reminders.
  public static let declaration = RecordDeclaration<HabitReminder>(
    RecordKind("habitReminders", singular: "habit reminder", plural: "habit reminders"),
    table: "habitReminder",
    references: [
      RecordReference(needed: { $0.habitID.uuidString }, column: "habitId", to: Habit.self)
    ],
    csv: .withDates([
      .init("habitId", \.habitID), .init("time") { .word($0.time.description) },
      .init("isActive", \.isActive), .init("notificationIdentifier", \.notificationIdentifier),
    ]))
}

/// A time of day, as `HH:mm`.
public struct TimeOfDay: Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
  /// The time as `HH:mm`.
  public let description: String

  /// Reads a time, such as `7:30` or `19:30`.
  ///
  /// - Throws: `RuleError` for a text that is not a time of day.
  public init(_ text: String) throws(RuleError) {
    guard let match = text.wholeMatch(of: /([0-9]{1,2}):([0-9]{2})/), let hour = Int(match.1),
      let minute = Int(match.2), hour < 24, minute < 60
    else {
      throw RuleError(
        "\"\(text.cut(to: 40).escapedForDisplay)\" is not a time of day; write it like 19:30")
    }
    description = "\(hour < 10 ? "0" : "")\(hour):\(match.2)"
  }

  /// Makes the time of a moment on the clock of a zone that is this many minutes east of Greenwich.
  init(of moment: Date, offset: Int) {
    let shown = moment.roundedToMillisecond.addingTimeInterval(Double(offset) * 60)
    description = String(JSONFormat.text(shown).dropFirst(11).prefix(5))
  }

  /// Reads a time from JSON.
  ///
  /// - Throws: `RuleError` for a text that is not a time of day.
  public init(from decoder: any Decoder) throws {
    try self.init(decoder.singleValueContainer().decode(String.self))
  }

  /// Writes the time as `HH:mm`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }

  /// Compares two times.
  public static func < (one: TimeOfDay, other: TimeOfDay) -> Bool {
    one.description < other.description
  }
}
