package import ArgumentParser
import Foundation
package import Holdfast
import Synchronization

/// The options of every subcommand.
package struct CommonOptions: ParsableArguments {
  @Option(
    name: .customLong("library"),
    help: ArgumentHelp(
      """
      The library's folder (default: $HOLDFAST_LIBRARY, else $XDG_DATA_HOME/holdfast, else \
      $HOME/.local/share/holdfast).
      """, valueName: "dir"))
  package var libraryPath: String?

  @Option(
    help: ArgumentHelp(
      "How long to wait while another command writes to the library.",
      valueName: "seconds"))
  package var lockTimeout = 60

  @Flag(
    help: "Print JSON: one document, or one on each line from a command that prints as it works.")
  package var json = false

  @Flag(help: "Print only results and errors.")
  package var quiet = false

  @Flag(name: .customLong("no-color"), help: "Print without colours.")
  package var noColor = false

  package init() {}

  package func validate() throws {
    guard (0...86_400).contains(lockTimeout) else {
      throw ValidationError("--lock-timeout must be from 0 to 86400.")
    }
  }

  package func location() throws -> LibraryLocation {
    try LibraryLocation.resolve(
      option: libraryPath, environment: ProcessInfo.processInfo.environment)
  }

  /// Opens the library, and prints its warnings and whether that recovered anything.
  ///
  /// - Parameter patience: How long to wait for other commands; `nil` uses ``patience``.
  package func openLibrary(
    for access: Library.Access, engine: (any MediaEngine)? = nil, patience: LockTimeoutPolicy? = nil
  ) throws -> Library {
    let library = try Library.open(
      at: location(), for: access, engine: engine, journals: KnownJournals.all,
      patience: patience ?? self.patience)
    for warning in library.warnings { console.error("note: \(warning.explained)") }
    if library.hasRecovered { console.note("Repaired what an interrupted command had left.") }
    return library
  }

  /// The longest wait for other commands, as the user asked. The first long wait prints a note.
  package var patience: LockTimeoutPolicy {
    let console = console
    return LockTimeoutPolicy(seconds: Double(lockTimeout)) { wait in
      if Self.hasToldOfWait.withLock({ hasTold in
        defer { hasTold = true }
        return !hasTold
      }) {
        console.noteAboveProgress("\(wait).")
      }
    }
  }

  /// Writes something that is less important than what the user asked for: a count. It waits at
  /// most five seconds for other commands.
  ///
  /// - Parameter what: What is missing if this fails, to begin a sentence: "the play was not
  ///   counted".
  /// - Returns: `nil` if it was left out, which a note has reported.
  package func writeBriefly<Value>(
    orElse what: String, _ write: (Library) throws -> Value
  ) throws -> Value? {
    do {
      return try write(openLibrary(for: .writing, patience: patience.atMost(Self.briefly)))
    } catch let error as HoldfastError
      where [.locked, .unknownJournal, .insideBag].contains(error.code)
    {
      console.note("note: \(what): \(error.note).")
      return nil
    }
  }

  private static let briefly = 5.0
  private static let hasToldOfWait = Mutex(false)

  package var console: Console { Console(isQuiet: quiet, isJSON: json, mayColor: !noColor) }
}
