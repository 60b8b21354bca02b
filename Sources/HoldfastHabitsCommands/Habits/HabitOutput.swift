package import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastHabits

extension Habit: ShownRecord {
  package static var journal: Journal? { .habits }

  package static var idHelp: ArgumentHelp {
    ArgumentHelp("The habit: its name, or at least four characters of its id.", valueName: "habit")
  }

  package static var idsHelp: ArgumentHelp {
    ArgumentHelp(
      "The habits: their names, or at least four characters of the id of each.",
      valueName: "habit")
  }

  package static var deleteAbstract: String {
    "Delete habits with their days and reminders; recordings and XP are kept."
  }

  package static var deleteDiscussion: String {
    """
    Days that gave their XP stay complete. To keep what was logged, end the habit with holdfast \
    habit end.
    """
  }

  package static func named(_ text: String, in library: Library) throws -> Habit {
    try library.habits.habit(text)
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("name", name), ("type", "\(habitType.rawValue) (\(habitType.label))"),
      ("goal", text(ofGoal: goalCount)), ("days", schedule.text),
      ("user", userID == Habit.defaultUser ? nil : userID), ("about", habitDescription.nonBlank),
      ("baseline", baselineCount.map { "\($0) \(baselineUnit ?? goalUnit)" }),
      ("first day", startDay.description), ("last day", endDay?.description),
      ("icon", icon.nonBlank), ("color", color.description), ("recording", recordingID?.uuidString),
    ]
  }

  package func details(in library: Library) throws -> [Detail] {
    let state = try HabitState(of: self, in: library)
    return standardDetails + (state.rate.map { [("done", $0.text)] } ?? [])
      + state.reminders.map { ("reminder", $0.text) }
  }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("FIRST DAY", \.startDay.description),
      .init("LAST DAY", givesWay: true) { $0.endDay?.description ?? "" }, .init("NAME", \.line),
    ]
  }

  package func fullOutput(in library: Library) throws -> any Encodable {
    ExtendedOutput(self, try HabitState(of: self, in: library))
  }
}

private struct HabitState: Encodable {
  var rate: HabitRate?
  var reminders: [HabitReminder]

  init(of habit: Habit, in library: Library) throws {
    rate = try library.habits.rates(of: habit.userID).first { $0.habit == habit.id }
    reminders = try library.habits.reminders(of: habit.id)
  }
}

extension HabitRate {
  var text: String {
    guard let rate else { return "nothing was due yet" }
    let logged = loggedRate.map { "; \($0.percent) of what was logged" } ?? ""
    return "\(complete) of \(due.counted("day")), \(rate.percent)\(logged)"
  }
}

extension Double {
  /// A share from 0 to 1 in percent. A share below 1 never reads as 100 %.
  var percent: String {
    let percent = Int((self * 100).rounded())
    return "\(self < 1 ? min(percent, 99) : percent) %"
  }
}

extension HabitReminder: ShownRecord {
  package static var journal: Journal? { .habits }
  package static var singular: String { "reminder" }
  package static var plural: String { "reminders" }
  package var line: String { time.description }

  package func line(on console: Console) -> String {
    isActive ? line : "\(line), switched off"
  }

  /// The reminder as one line of text, with the beginning of its ID.
  fileprivate var text: String { "\(time)\(isActive ? "" : ", switched off")  \(id.short)" }
}

extension Console {
  /// Prints a habit that was added or changed, and the effect on today.
  func show(_ outcome: HabitOutcome, changing done: String, adding text: String = "") throws {
    if isJSON { return try json(outcome) }
    let habit = outcome.habit
    result(
      "\(colored(done, .green))  \(habit.id.short)  \((habit.line + text).escapedForDisplay)")
    showRewards(of: outcome)
  }

  /// Prints a habit's record of a day, and the effect of its change.
  func show(_ outcome: HabitOutcome, _ done: String) throws {
    if isJSON { return try json(outcome) }
    let habit = outcome.habit
    let count =
      outcome.record.map { "\($0.progressCount) of \(habit.text(ofGoal: $0.goalCount))" }
      ?? "nothing logged"
    let name = habit.name.escapedForDisplay
    result(
      "\(colored(done, .green))  \(habit.id.short)  \(outcome.day)  \(name): "
        + count.escapedForDisplay)
    showRewards(of: outcome)
  }

  private func showRewards(of outcome: HabitOutcome) {
    let (xp, streak) = (outcome.xp, outcome.streak)
    if outcome.becameComplete {
      let gained = [
        xp > 0 ? "+\(xp) XP" : nil, streak.currentStreak > 0 ? streak.currentText : nil,
      ].compactMap(\.self).joined(separator: ", ")
      result("\(outcome.day) is complete\(gained.isEmpty ? "" : ": \(gained)").")
    } else if outcome.becameIncomplete {
      result("\(outcome.day) is open again; completing it gives its XP back.")
    }
    if outcome.levelUp { result("Level \(outcome.progress.currentLevel) begins.") }
    for achievement in outcome.achievements {
      result("\(achievement.title.escapedForDisplay): \(achievement.text.escapedForDisplay)")
    }
    if outcome.removedMoments > 0 {
      let times = outcome.removedMoments
      note(
        "note: the \(times == 1 ? "time" : "\(times) times") at which it was done "
          + "\(times == 1 ? "is" : "are") removed")
    }
  }
}

extension HabitStreak {
  var currentText: String {
    currentStreak > 0 ? "\(currentStreak.counted("day")) in a row" : "a new run begins today"
  }
}
