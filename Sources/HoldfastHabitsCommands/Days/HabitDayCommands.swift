import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitDoneCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "done", abstract: "Count a habit as done, or a use of one to give up.",
    discussion: """
      When every required habit of the day is complete, the day is: it gives \
      \(XPTransaction.completeDay) XP, once.
      """)

  @OptionGroup var name: RecordArgument<Habit>
  @OptionGroup var day: HabitDayOption
  @OptionGroup var time: TimeOption

  @Option(parsing: .unconditional, help: "How often; at most \(HabitTracker.mostTimes).")
  var times = 1

  @OptionGroup var voice: RecordOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (1...HabitTracker.mostTimes).contains(times) else {
      throw ValidationError("--times \(times): give 1 to \(HabitTracker.mostTimes).")
    }
  }

  func run() async throws {
    let outcome =
      if let file = voice.record {
        try await done(recordedIn: file)
      } else {
        try done(in: common.openLibrary(for: .writing, Habit.self))
      }
    try common.console.show(outcome, "done")
  }

  private var action: HabitAction? {
    time.at.map { HabitAction($0.moment, offset: $0.offset) }
  }

  private var clock: HabitClock { HabitClock(time.now, offset: time.at?.offset) }

  private func done(in library: Library) throws -> HabitOutcome {
    try library.habits.complete(
      name.record(in: library).id, on: day.day, at: action, times: times, clock: clock)
  }

  private func done(recordedIn file: String) async throws -> HabitOutcome {
    let command = self
    let (outcome, recording) = try await voice.importing { options, engine in
      let library = try command.common.openLibrary(for: .writing, Habit.self, engine: engine)
      return try await library.habits.complete(
        command.name.record(in: library).id, recordedIn: file, options: options,
        on: command.day.day, at: command.action, times: command.times, clock: command.clock)
    }
    common.console.note(recording)
    return outcome
  }
}

struct HabitUndoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "undo", abstract: "Undo one count of a habit.",
    discussion: "If the day is no longer complete, its XP are removed as well.")

  @OptionGroup var name: RecordArgument<Habit>
  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.change(name, { $0.isChanged ? "undone" : "nothing to undo" }) {
      try $0.undo($1, on: day.day)
    }
  }
}

struct HabitSetCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "set", abstract: "Set the count of a day.",
    discussion: "The times at which it was done on that day are removed.")

  @OptionGroup var name: RecordArgument<Habit>

  @Argument(help: "The count: 0 or more.")
  var count: Int

  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.change(name, { _ in "set" }) { try $0.set($1, to: count, on: day.day) }
  }
}

struct HabitCheckinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "checkin", abstract: "Note that you checked in on a habit to give up.",
    discussion: "A day without a use is complete after that. A count that is there stays.")

  @OptionGroup var name: RecordArgument<Habit>
  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.change(name, { _ in "checked in" }) { try $0.checkIn($1, on: day.day) }
  }
}

struct HabitDifficultyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "difficulty", abstract: "Note how hard a habit was on a day.")

  @OptionGroup var name: RecordArgument<Habit>

  @Argument(
    help: "From 1, easy, to 5, hard; none removes it.", transform: { try Difficulty($0) })
  var difficulty: Difficulty

  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.change(name, { _ in "noted" }) {
      try $0.rate($1, difficulty: difficulty.rating, on: day.day)
    }
  }
}

/// How hard a day was, or nothing.
struct Difficulty {
  var rating: Int?

  init(_ text: String) throws(RuleError) {
    if text.lowercased() == "none" { return }
    guard let rating = Int(text) else {
      throw RuleError("difficulty \(text.cut(to: 40).escapedForDisplay): it goes from 1 to 5")
    }
    try HabitDay.validate(difficulty: rating)
    self.rating = rating
  }
}

struct HabitClearCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "clear", abstract: "Delete what was logged for a habit on a day.",
    discussion: "The recording that it names is kept.")

  @Argument(
    help: ArgumentHelp(
      """
      The habit: its name, or at least four characters of its id; or the id of a day, as holdfast \
      habit days shows it.
      """, valueName: "habit"))
  var habit: String

  @OptionGroup var day: HabitDayOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .habits)
    let (id, day) = try place(in: library)
    try common.console.show(library.habits.clear(id, on: day), "cleared")
    guard common.console.compact(library) else { throw ExitCode.someFailed }
  }

  private func place(in library: Library) throws -> (UUID, Day) {
    do {
      return (try library.habits.habit(habit).id, day.day ?? Day())
    } catch let error as HoldfastError where error.code == .noSuchRecord && day.day == nil {
      guard let record = try? library.record(HabitDay.self, idPrefix: habit) else { throw error }
      return (record.habitID, record.day)
    }
  }
}

extension CommonOptions {
  /// Changes a habit's record, and prints it. Traces of removed moments are removed too. `done`
  /// describes the change in a few words.
  fileprivate func change(
    _ name: RecordArgument<Habit>, _ done: (HabitOutcome) -> String,
    _ work: (HabitTracker, UUID) throws -> HabitOutcome
  ) throws {
    let library = try openLibrary(for: .writing, Habit.self)
    let outcome = try work(library.habits, name.record(in: library).id)
    try console.show(outcome, done(outcome))
    guard outcome.removedMoments > 0, !console.compact(library) else { return }
    throw ExitCode.someFailed
  }
}
