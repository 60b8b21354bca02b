import ArgumentParser

/// `scripts/bench`
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "scripts/bench",
    abstract: "Measure Holdfast against other programs, and print a Markdown table.",
    discussion: """
      Without a subcommand it measures rows: \(Row.names); all of them unless said. \
      `scripts/bench help rows` names the options.

      Holdfast is $HOLDFAST_PROGRAM, else a release build. Inputs are made by ffmpeg in $TMPDIR; \
      a whole run needs about 15 GB there.
      """,
    subcommands: [
      RowsCommand.self, ScaleCommand.self, CatalogCommand.self, JournalsCommand.self,
      WordsCommand.self, WorkerCommand.self,
    ],
    defaultSubcommand: RowsCommand.self)
}
