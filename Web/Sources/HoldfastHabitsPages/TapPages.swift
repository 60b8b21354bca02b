import Foundation
import Holdfast
import HoldfastHabits
import HoldfastWeb
import Hummingbird

/// The taps on habits. Each leads back to its day, and the rating to its habit.
struct TapPages: Sendable {
  let host: LibraryHost

  func add(to pages: RouterGroup<WebContext>) {
    add("done", to: pages) { form in
      let times = try form.whole("times", "how often") ?? 1
      return { habits, id, day in try habits.complete(id, on: day, times: times) }
    }
    add("checkin", to: pages) { _ in { habits, id, day in try habits.checkIn(id, on: day) } }
    add("undo", to: pages) { _ in { habits, id, day in try habits.undo(id, on: day) } }
    add("set", to: pages, saying: .saved) { form in
      guard let count = try form.whole("count", "the count") else {
        throw RuleError("the count is missing; write 0 or more")
      }
      return { habits, id, day in
        try habits.set(id, to: count, recording: form.recording, on: day)
      }
    }
    add("difficulty", to: pages, saying: .saved) { form in
      let difficulty = try form.whole("difficulty", "the difficulty")
      if let difficulty { try HabitDay.validate(difficulty: difficulty) }
      return { habits, id, day in try habits.rate(id, difficulty: difficulty, on: day) }
    }
  }

  private typealias Tap = (HabitTracker, UUID, Day) throws -> HabitOutcome

  private func add(
    _ name: String, to pages: RouterGroup<WebContext>, saying notice: Notice? = nil,
    _ read: @escaping @Sendable (Form) throws -> Tap
  ) {
    pages.form(RouterPath(":id/\(name)"), host: host, saying: notice) { library, id, form in
      let tap = try read(form)
      let day = try form["day"].map { try Day($0) } ?? Day()
      let outcome = try tap(library.habits, id, day)
      // Removed moments must not leave traces.
      if outcome.removedMoments > 0 { _ = try? library.compactIfSmall() }
      if name == "difficulty" { return "/habits/\(id)" }
      return (day == Day() ? "/habits" : "/habits/days/\(day)") + TapOutcome(outcome).query
    }
  }
}

/// The outcome of a tap, as the next page's address has it.
struct TapOutcome: Sendable {
  private var complete: String?
  private var reopened: String?
  private var xp: Int?
  private var level: Int?
  private var unlocked: [String]
  private var isGoalLater = false

  /// - Parameter before: The habit before an edit.
  init(_ outcome: HabitOutcome, changing before: Habit? = nil) {
    if let before {
      isGoalLater = outcome.keepsGoal && outcome.habit.goalCount != before.goalCount
    }
    complete = outcome.becameComplete ? outcome.day.description : nil
    reopened = outcome.becameIncomplete ? outcome.day.description : nil
    xp = outcome.xp > 0 ? outcome.xp : nil
    level = outcome.levelUp ? outcome.progress.currentLevel : nil
    unlocked = outcome.achievements.map(\.achievementID)
  }

  /// Reads it from an address. Any user can write one, so its text is never shown.
  init(_ fields: Form) {
    complete = fields["complete"].flatMap { try? Day($0).description }
    reopened = fields["reopened"].flatMap { try? Day($0).description }
    xp = fields["xp"].flatMap { Int($0) }
    level = fields["level"].flatMap { UInt16($0) }.map { Int($0) }
    unlocked = fields.all("unlocked")
    isGoalLater = fields["goal"] == "later"
  }

  /// The query of the next page's address.
  var query: String {
    let fields: [(String, String?)] = [
      ("complete", complete), ("reopened", reopened), ("xp", xp.map { "\($0)" }),
      ("level", level.map { "\($0)" }), ("goal", isGoalLater ? "later" : nil),
    ]
    let parts = (fields + unlocked.map { ("unlocked", $0) }).compactMap { name, value in
      value.map { "\(name)=\($0.addingPercentEncoding)" }
    }
    return parts.isEmpty ? "" : "?\(parts.joined(separator: "&"))"
  }

  /// The sentences that a person reads once.
  func sentences(in habits: HabitTracker) throws -> [String] {
    var sentences: [String] = []
    func name(_ day: String) -> String { (try? Day(day))?.words ?? day }
    if let complete {
      sentences.append("\(name(complete)) is complete\(xp.map { ": \($0) points" } ?? "").")
    }
    if let reopened { sentences.append("\(name(reopened)) is open again.") }
    if let level { sentences.append("Level \(level) begins.") }
    if isGoalLater { sentences.append("Today keeps its goal. The new one starts tomorrow.") }
    guard !unlocked.isEmpty else { return sentences }
    let known = try habits.achievements().filter { unlocked.contains($0.achievementID) }
    return sentences + known.map { "\($0.title): \($0.text)" }
  }
}

extension Form {
  /// The whole number in a field; `nil` if it is empty. Any other text throws `RuleError`.
  func whole(_ name: String, _ noun: String) throws -> Int? {
    guard let text = self[name] else { return nil }
    guard let number = Int(text.trimmingCharacters(in: .whitespaces)) else {
      throw RuleError("\(noun) is not a whole number: write it like 3")
    }
    return number
  }
}
