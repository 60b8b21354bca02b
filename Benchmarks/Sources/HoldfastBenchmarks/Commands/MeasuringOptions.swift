import ArgumentParser

/// How much is measured, and how the result is printed.
struct MeasuringOptions: ParsableArguments {
  @Flag(help: "Print one JSON document instead of the table.")
  var json = false

  @Flag(help: "Measure few and small items, each once: whether a row works, not how fast it is.")
  var quick = false

  @Option(help: ArgumentHelp("Measure so many pairs.", valueName: "n"))
  var rounds = 5

  @Option(help: ArgumentHelp("Make thumbnails of so many clips.", valueName: "n"))
  var clips = 100

  func validate() throws {
    guard rounds > 0, clips > 0 else {
      throw ValidationError("--rounds and --clips are numbers above 0.")
    }
  }
}
