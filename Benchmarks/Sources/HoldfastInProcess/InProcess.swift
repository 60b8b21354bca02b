import ArgumentParser

/// What `scripts/bench` compares the command with: the media engine in the process that asks, and
/// nothing but the hashing of files.
@main
struct InProcess: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bench-in-process",
    abstract: "Do parts of Holdfast's work in one process.",
    subcommands: [ImportCommand.self, ThumbnailsCommand.self, HashCommand.self])
}
