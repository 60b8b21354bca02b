import ArgumentParser
import Foundation

/// `scripts/bench catalog`
struct CatalogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Time the commands that query a large catalog, against sqlite3 running the same SQL.",
    discussion: """
      Prints medians in milliseconds. The limit is 1.5 times sqlite3's time and 30 ms. The exit \
      status is 1 if a command takes longer.
      """)

  /// The commands; RECORDING is replaced by the identity of a recording that cravings refer to.
  private static let commands = [
    "list", "list --type audio", "list --sort played", "list --sort longest", "list --sort title",
    "list --search walk", "list --search nowhere-to-be-found", "show RECORDING", "craving list",
    "craving list --days 30", "craving list --trigger Anxious",
    "craving list --days 30 --trigger Anxious", "craving list --min-intensity 10",
    "craving list --recording RECORDING", "usage list --method Vape", "stats --days 90",
    "stats --days all",
  ]

  @Argument(help: "A library. Without one, scripts/make-catalog makes one.")
  var library: String?

  func run() throws {
    let isSlow = try Workbench.with(MeasuringOptions.parse([])) { bench in
      try measure(in: library ?? bench.makeCatalog("library"), on: bench)
    }
    if isSlow { throw ExitCode.failure }
  }

  private func measure(in library: String, on bench: Workbench) throws -> Bool {
    let recording = try bench.output(of: [
      "sqlite3", "\(library)/catalog.sqlite",
      "SELECT recordingId FROM craving WHERE recordingId IS NOT NULL ORDER BY id LIMIT 1",
    ]).trimmingCharacters(in: .whitespacesAndNewlines)
    var isSlow = false
    print(Contest.queryTableHead)
    for command in Self.commands {
      let words = command.replacing("RECORDING", with: recording).split(separator: " ")
      let contest = try bench.queryContest(words.map(String.init), in: library)
      isSlow = try !contest.printRow(on: bench) || isSlow
    }
    return isSlow
  }
}
