import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitStreakCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "streak", abstract: "Show how many days in a row were complete.",
    discussion: "Today is open until it is over. A day on which nothing was due ends no run.")

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let streak = try habits.streak(of: user.user)
    if console.isJSON { return try console.json(streak) }
    console.details([
      ("current", streak.currentText), ("longest", streak.longestStreak.counted("day")),
      ("complete", "\(streak.totalCompleteDays.counted("day")) in all"),
      ("last", streak.lastCompleteDate?.description ?? "none yet"),
    ])
  }
}

struct HabitLevelCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "level", abstract: "Show your XP and your level.",
    discussion: "A complete day gives \(XPTransaction.completeDay) XP.")

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let level = try common.openLibrary(for: .reading, .habits).habits.level(of: user.user)
    if console.isJSON { return try console.json(level) }
    console.details([
      ("level", "\(level.currentLevel)"),
      ("within", "\(level.xpForCurrentLevel) of \(level.xpForNextLevel) XP"),
      ("total", "\(level.totalXP) XP"),
    ])
  }
}

struct HabitXPCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "xp", abstract: "Show where your XP come from.",
    subcommands: [HabitXPListCommand.self], defaultSubcommand: HabitXPListCommand.self)
}

struct HabitXPListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the XP that you got, newest first.")

  @OptionGroup var user: UserOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let habits = try common.openLibrary(for: .reading, .habits).habits
    try common.console.page(page, noun: { $0.noun("transaction") }) { limit in
      try habits.transactions(of: user.user, limit: limit, offset: page.offset)
    } json: {
      $0
    } table: { transactions in
      var table = TextTable([
        .init(heading: "WHEN"), .init(heading: "XP", alignment: .right), .init(heading: "DAY"),
        .init(heading: "REASON"),
      ])
      for transaction in transactions {
        table.add([
          transaction.timestamp.localText,
          (transaction.amount > 0 ? "+" : "") + "\(transaction.amount)",
          transaction.day?.description ?? "", transaction.reason,
        ])
      }
      return table
    }
  }
}

struct HabitStrugglingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "struggling", abstract: "List habits that are hard to keep up, the hardest first.",
    discussion: "They might need a smaller goal, or other days.")

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Habits done on less than this share of their days.", valueName: "share"))
  var below = HabitRate.struggling

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard (0...1).contains(below) else {
      throw ValidationError("--below \(below): give a number from 0 to 1.")
    }
  }

  func run() throws {
    let console = common.console
    let habits = try common.openLibrary(for: .reading, .habits).habits
    let rates = try habits.rates(of: user.user).filter { $0.isStruggling(below: below) }
      .sorted { ($0.rate ?? 0, $0.habit.uuidString) < ($1.rate ?? 0, $1.habit.uuidString) }
    if console.isJSON { return try console.json(rates) }
    guard !rates.isEmpty else { return console.note("No habit is below \(below.percent).") }
    var table = TextTable([
      .init(heading: "ID"), .init(heading: "RATE", alignment: .right),
      .init(heading: "DAYS", alignment: .right), .init(heading: "OF LOGGED", alignment: .right),
      .init(heading: "HABIT"),
    ])
    for rate in rates {
      table.add([
        rate.habit.short, rate.rate?.percent ?? "-", "\(rate.complete)/\(rate.due)",
        rate.loggedRate?.percent ?? "-", rate.name,
      ])
    }
    console.result(table)
  }
}
