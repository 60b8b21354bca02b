import ArgumentParser
import Glibc
import HoldfastConsole
import HoldfastCravings

/// The program: runs the command that the process was started with, and ends the process.
package enum Program {
  /// Runs the command, and ends the process if it throws. It begins on the main thread, before
  /// there is another one, to make the settings of the process.
  @MainActor package static func run() async {
    do {
      var command = try begin()
      if var command = command as? any AsyncParsableCommand {
        try await command.run()
      } else {
        try command.run()
      }
      // The work is done. But a script must not mistake half of a list for all of it.
      if let failure = Console.outputFailure {
        throw CommandFailure("the output could not be written: \(failure); what was done stands")
      }
    } catch {
      HoldfastCommand.exit(withError: error)
    }
  }

  private static func begin() throws -> any ParsableCommand {
    // Dispatch uses a socket to log that it may not raise the priority of its threads, which only
    // root may. Holdfast keeps no log and opens no socket except its workers'.
    unsafe setenv("LIBDISPATCH_LOG", "NO", 1)
    Interruption.ignoreBrokenPipes()
    KnownJournals.install([.cravings], Journals.all)
    return try HoldfastCommand.parseAsRoot()
  }
}
