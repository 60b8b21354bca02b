internal import ArgumentParser
internal import Glibc
internal import HoldfastMedia
internal import HoldfastModel

/// The `holdfast` command.
@main
struct HoldfastCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holdfast",
    abstract: "A private, local library of the recordings you will need one day.",
    discussion: """
      Exit status: 0 done; 1 the command as a whole could not run; 3 at least one item failed or \
      was refused, the others are done; 4 verify found something; 64 bad usage; 130 interrupted.
      """,
    subcommands: [
      ImportCommand.self, ProbeCommand.self, ListCommand.self, ShowCommand.self,
      StatsCommand.self, VerifyCommand.self,
    ])

  /// The media engine that every command works with.
  static let engine: any MediaEngine = FFmpegEngine()

  static func main() async {
    // Dispatch tells the system's log, over a socket, that it may not raise its threads' priority,
    // which only root may. Holdfast keeps no log and opens no socket.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
    Interruption.ignoreBrokenPipes()
    await main(nil)
  }
}
