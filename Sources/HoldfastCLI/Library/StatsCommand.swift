import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings
import HoldfastCravingsCommands

struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show your cravings and usage over time, and what helped.",
    discussion: """
      The period is counted back from now, in steps of 24 hours. Weekdays, days and hours are on \
      the clock of the place where you logged.
      """)

  @Option(help: "How many days to look back.")
  var days: StatisticsPeriod = .month

  @Option(help: "Show the statistics of this journal instead.")
  var journal: NamedJournal?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    if let command = journal?.command {
      let library = try common.openLibrary(for: .reading, command.journal)
      let statistics = try command.statistics(of: library, over: days)
      if console.isJSON { return try console.json(statistics) }
      return console.result(statistics.lines.joined(separator: "\n"))
    }
    let library = try common.openLibrary(for: .reading)
    let statistics = try library.statistics(of: days)
    if console.isJSON { return try console.json(statistics) }
    // The figures are there even if the files' folder cannot be read.
    let isOffline = (try? library.isOffline()) ?? true
    let text = StatsText(statistics, isOffline: isOffline, faults: try library.knownFaults())
    console.result(text.lines.joined(separator: "\n"))
  }
}
