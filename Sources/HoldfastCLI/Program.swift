internal import ArgumentParser
internal import Glibc
package import HoldfastModel

/// What the programs do: run the command that the process was started with, and end the process.
///
/// Both begin on the main thread, before there is another one: the settings of the process are made
/// there, and what a thread of Dispatch's blocks would stay blocked in the program that follows.
package enum Program {
  /// What `holdfast` does, which has no media engine and starts in a moment: a command that needs
  /// one is left to `holdfast-media`, once its arguments are found to be right.
  @MainActor package static func run() async {
    do {
      var command = try begin()
      if command is any MediaCommand { try MediaProgram.takeOver() }
      try await run(&command)
    } catch {
      HoldfastCommand.exit(withError: error)
    }
  }

  /// What `holdfast-media` does.
  ///
  /// - Parameter engine: What media are read and made with.
  @MainActor package static func run(engine: any MediaEngine) async {
    do {
      var command = try begin()
      if let command = command as? any MediaCommand {
        try await command.run(with: engine)
      } else {
        try await run(&command)
      }
    } catch {
      HoldfastCommand.exit(withError: error)
    }
  }

  private static func run(_ command: inout any ParsableCommand) async throws {
    guard var command = command as? any AsyncParsableCommand else { return try command.run() }
    try await command.run()
  }

  /// Makes the settings of the process, and parses its arguments.
  private static func begin() throws -> any ParsableCommand {
    // Dispatch tells the system's log, over a socket, that it may not raise its threads' priority,
    // which only root may. Holdfast keeps no log and opens no socket.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
    Interruption.ignoreBrokenPipes()
    return try HoldfastCommand.parseAsRoot()
  }
}

/// A command that reads or makes media.
protocol MediaCommand: ParsableCommand {
  /// Runs the command, as `run()` does for the others.
  ///
  /// - Parameter engine: What media are read and made with.
  func run(with engine: any MediaEngine) async throws
}
