import ArgumentParser

/// `scripts/bench scale`
struct ScaleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scale",
    abstract: "Measure the cost of a large library, and the gain from each further job.")

  @OptionGroup var options: MeasuringOptions

  func run() throws {
    try Workbench.with(options) { bench in
      let table = ScaleTable(
        machine: try Machine(bench), libraries: try bench.growingLibraries(),
        jobs: try bench.moreJobs())
      try options.json ? printJSON(table) : print(table.markdown)
    }
  }
}
