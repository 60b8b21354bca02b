import ArgumentParser
import Foundation

/// `scripts/bench [ROW…]`
struct RowsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rows",
    abstract: "Measure Holdfast against other programs that do the same work.",
    discussion: """
      Prints the median of each program's times, and the median, lowest and highest ratio of \
      the pairs.
      """)

  @Argument(
    help: ArgumentHelp(
      "\(Row.names); all of them unless said. A number after verify: so many gigabytes (4).",
      valueName: "row"))
  var words: [String] = []

  @OptionGroup var options: MeasuringOptions

  func run() throws {
    var rows: [Row] = []
    var gigabytes = 4.0
    for word in words {
      if let number = UInt(word) {
        gigabytes = Double(number)
      } else if let row = Row(rawValue: word) {
        rows.append(row)
      } else {
        note("There is no row \(word); there are \(Row.names).")
        throw ExitCode(EX_USAGE)
      }
    }
    if rows.isEmpty { rows = Row.allCases }
    if options.quick { gigabytes = 0.2 }

    try Workbench.with(options) { bench in
      var reports: [RowReport] = []
      for row in rows {
        note("\(row.rawValue): making what it is measured with")
        for contest in try row.contests(on: bench, gigabytes: gigabytes) {
          reports += try measure(contest, of: row, on: bench)
        }
      }
      let table = RowTable(machine: try Machine(bench), rows: reports)
      try options.json ? printJSON(table) : print(table.markdown)
    }
  }

  /// Measures Holdfast alone, its memory, its flushes and its time on a slow disk, and then against
  /// each rival.
  private func measure(_ contest: Contest, of row: Row, on bench: Workbench) throws -> [RowReport] {
    note("\(row.rawValue): \(contest.what)")
    let ours = contest.ours
    // This warms it up as well.
    let memory = try bench.peakMemory(of: ours)
    var isFirstWarm = false
    var mostMemory = contest.mostMemory
    if let ratio = contest.mostMemoryRatio, let first = contest.rivals.first {
      mostMemory = try ratio * bench.peakMemory(of: first.contestant)
      isFirstWarm = true
    }
    let alone = Alone(
      flushes: try Double(bench.flushes(of: ours)) / Double(contest.items), memory: memory,
      mostMemory: mostMemory, secondsOnSlowDisk: try bench.secondsOnSlowDisk(ours))
    let rounds = options.quick ? 1 : contest.rounds ?? options.rounds
    return try contest.rivals.enumerated().map { index, rival in
      let rivalsSlow = rival.flushes ? try bench.secondsOnSlowDisk(rival.contestant) : nil
      if index > 0 || !isFirstWarm { try bench.warmUp(rival.contestant) }
      let pairs = try bench.compare(ours, rival.contestant, rounds: rounds)
      let report = RowReport(
        row, contest, alone, rival, pairs: pairs, rivalsSecondsOnSlowDisk: rivalsSlow)
      note("\(row.rawValue): \(report.ratio) \(report.ratioIs) as \(report.contestant)")
      return report
    }
  }
}
