import ArgumentParser

/// `scripts/bench worker` compares the command with this: the media engine in the same process.
@main
struct InProcess: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-in-process",
    abstract: "Do parts of Holdfast's work in one process.",
    subcommands: [ImportCommand.self, ThumbnailsCommand.self])
}
