package import HoldfastModel
import Synchronization

/// The journals that this program has commands for.
///
/// The program installs its list once, before it parses its arguments. Until then there are none.
/// Commands cannot be given the list: ArgumentParser makes them. And this module, which the
/// journals' own commands depend on, cannot name them.
package enum KnownJournals {
  private static let installed = Mutex<(always: [Journal], commands: [any JournalCommand.Type])>(
    ([], []))

  /// - Parameter always: The journals that every library has. They have no ``JournalCommand``.
  package static func install(_ always: [Journal], _ commands: [any JournalCommand.Type]) {
    installed.withLock { $0 = (always, commands) }
  }

  package static var commands: [any JournalCommand.Type] { installed.withLock { $0.commands } }

  package static var all: [Journal] {
    installed.withLock { $0.always + $0.commands.map { $0.journal } }
  }

  static func command(of kind: RecordKind) -> (any JournalCommand.Type)? {
    commands.first { command in command.journal.kinds.contains { $0.kind == kind } }
  }
}
