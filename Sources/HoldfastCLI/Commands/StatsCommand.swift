internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast stats`
struct StatsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "stats", abstract: "Show how cravings and usage went, and what helped.",
    discussion: """
      A period is the last so many times 24 hours; days and hours are those of this machine's \
      time zone.
      """)

  @Option(help: "How many days to look back.")
  var days: StatisticsPeriod = .month

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let statistics = try library.statistics(of: days)
    if console.isJSON { return try console.json(statistics) }
    console.result(StatsText(statistics).lines.joined(separator: "\n"))
  }
}
