import ArgumentParser

/// `scripts/bench journals`
struct JournalsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "journals",
    abstract: "Time the commands of large journals, against sqlite3 running the same SQL.",
    discussion: """
      Prints medians in milliseconds. The limits are sqlite3's time and 20 ms for food, 50 ms \
      for habits, and 1.5 times sqlite3's time and 30 ms for faith. The exit status is 1 if a \
      command takes longer.
      """)

  @Argument(
    help: "The journals, such as \(JournalLoad.all[0].journal); all of them unless given.")
  var names: [String] = []

  func validate() throws {
    for name in names where !JournalLoad.all.contains(where: { $0.journal == name }) {
      let known = JournalLoad.all.map(\.journal).joined(separator: " ")
      throw ValidationError("There is no journal \(name); there are \(known).")
    }
  }

  func run() throws {
    let isFast = try Workbench.with(MeasuringOptions.parse([])) { bench in
      print(Contest.queryTableHead)
      var isFast = true
      for load in JournalLoad.all where names.isEmpty || names.contains(load.journal) {
        isFast = try measure(load, on: bench) && isFast
      }
      return isFast
    }
    if !isFast { throw ExitCode.failure }
  }

  private func measure(_ load: JournalLoad, on bench: Workbench) throws -> Bool {
    let library = "\(bench.folder)/\(load.journal)"
    try bench.run([bench.holdfast, "init", library])
    try bench.run([bench.holdfast, "journal", "enable", load.journal, "--library", library])
    let script = try bench.write("PRAGMA foreign_keys = ON;\n" + load.fill, to: "fill.sql")
    try bench.run([
      "bash", "-ec", #"sqlite3 -batch -bail "$0" <"$1""#, "\(library)/catalog.sqlite", script,
    ])
    print("| **\(load.journal), \(load.what)** | | | | |")
    var isFast = true
    for command in load.commands {
      let contest = try bench.queryContest(
        command.split(separator: " ").map(String.init), in: library, goal: load.goal)
      isFast = try contest.printRow(on: bench) && isFast
    }
    return isFast
  }
}
