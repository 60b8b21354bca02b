internal import ArgumentParser
internal import Glibc

/// What the program does: run the command that the process was started with, and end the process.
package enum Program {
  /// Begins on the main thread, before there is another one: the settings of the process are made
  /// there.
  @MainActor package static func run() async {
    do {
      var command = try begin()
      guard var command = command as? any AsyncParsableCommand else { return try command.run() }
      try await command.run()
    } catch {
      HoldfastCommand.exit(withError: error)
    }
  }

  /// Makes the settings of the process, and parses its arguments.
  private static func begin() throws -> any ParsableCommand {
    // Dispatch tells the system's log, over a socket, that it may not raise its threads' priority,
    // which only root may. Holdfast keeps no log and opens no socket but its workers'.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
    Interruption.ignoreBrokenPipes()
    return try HoldfastCommand.parseAsRoot()
  }
}
