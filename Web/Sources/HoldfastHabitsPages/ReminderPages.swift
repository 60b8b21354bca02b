import Foundation
import HTTPTypes
import Holdfast
import HoldfastHabits
import HoldfastWeb
import Hummingbird

/// Reminders, which a calendar shows: Holdfast only keeps them.
struct ReminderPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    pages.form(":id/reminders", host: host) { library, id, form in
      try library.habits.add(
        HabitReminder(habitID: id, time: try TimeOfDay(form["time"] ?? ""), createdAt: Date()))
      return "/habits/\(id)?reminders=added#reminders"
    }
    pages.deletion(of: HabitReminder.self, "reminders/:id/delete", host: host, then: nil)
    pages.get("reminders.ics") { _, _ in
      let calendar = try await host.read { library in
        let reminders = try library.habits.reminders().filter(\.isActive)
        let habits = Dictionary(
          try library.habits.habits(limit: 1000).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
        return Calendar(
          reminders.compactMap { reminder in habits[reminder.habitID].map { (reminder, $0) } })
      }
      return Response(
        status: .ok,
        headers: [
          .contentType: "text/calendar; charset=utf-8",
          .contentDisposition: "attachment; filename=\"habits.ics\"",
        ], body: ResponseBody(byteBuffer: ByteBuffer(string: calendar.text)))
    }
  }

  /// The reminders as events of a calendar, by RFC 5545.
  ///
  /// - SeeAlso: https://www.rfc-editor.org/rfc/rfc5545
  struct Calendar: Sendable {
    let text: String

    init(_ reminders: [(HabitReminder, Habit)]) {
      let stamp = Date().ISO8601Format().replacing("-", with: "").replacing(":", with: "")
      let events = reminders.flatMap { reminder, habit in
        let time = "T\(reminder.time.description.filter(\.isNumber))00"
        let until = habit.endDay.map { ";UNTIL=\($0.plain)\(time)" } ?? ""
        return [
          "BEGIN:VEVENT", "UID:\(reminder.id.uuidString)@holdfast", "DTSTAMP:\(stamp)",
          "DTSTART:\(habit.firstReminder.plain)\(time)", "DURATION:PT5M",
          "RRULE:\(habit.schedule.rule)\(until)", "SUMMARY:\(Self.escaped(habit.name))",
          // A reminder does not make a person look busy to others.
          "TRANSP:TRANSPARENT", "CLASS:PRIVATE", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER:PT0M", "DESCRIPTION:\(Self.escaped(habit.name))", "END:VALARM", "END:VEVENT",
        ]
      }
      let lines =
        ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Holdfast//Habits//EN"] + events
        + ["END:VCALENDAR"]
      text = lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    private static func escaped(_ text: String) -> String {
      text.map { character in
        switch character {
        case "\\", ";", ",": "\\\(character)"
        case _ where character.isNewline: "\\n"
        default: String(character)
        }
      }.joined()
    }

    /// A line has at most 75 bytes; the rest follows after a space.
    private static func folded(_ line: String) -> String {
      var (pieces, count) = ("", 0)
      for character in line {
        let size = String(character).utf8.count
        if count + size > 74 { (pieces, count) = (pieces + "\r\n ", 1) }
        pieces.append(character)
        count += size
      }
      return pieces
    }
  }
}

extension Habit {
  /// The first day that the rule of its schedule must have: an event begins with its first day.
  fileprivate var firstReminder: Day {
    let weekdays = Set(schedule.weekdays)
    guard !weekdays.isEmpty else { return startDay }
    return (0..<7).map { startDay.adding(days: $0) }.first { weekdays.contains($0.weekday) }
      ?? startDay
  }
}

extension HabitSchedule {
  /// The days as a rule of a calendar. Freely chosen days are reminded of each day.
  fileprivate var rule: String {
    switch self {
    case .everyNDays(let count): "FREQ=DAILY;INTERVAL=\(count)"
    case .specificWeekdays(let days):
      "FREQ=WEEKLY;BYDAY=\(days.map { $0.rawValue.prefix(2).uppercased() }.joined(separator: ","))"
    case .daily, .frequencyWeekly, .frequencyMonthly: "FREQ=DAILY"
    }
  }
}

extension Day {
  fileprivate var plain: String { description.filter { $0 != "-" } }
}
