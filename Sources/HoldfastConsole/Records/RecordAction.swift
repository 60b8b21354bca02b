package import ArgumentParser
package import Holdfast

/// An action of ``RecordActionCommand`` on one record, with its options.
package protocol RecordAction: ParsableArguments {
  associatedtype Record: ShownRecord
  /// The kind of the record that results, which is printed.
  associatedtype Result: ShownRecord = Record

  static var verb: RecordVerb { get }

  /// Applies the action, and returns the record that results.
  func apply(to record: Record, in library: Library) throws -> Result

  func note(_ result: Result, of record: Record, on console: Console)
}

extension RecordAction {
  package func note(_ result: Result, of record: Record, on console: Console) {}
}

/// Applies an action to the record that a user named, and prints the record that results.
package struct RecordActionCommand<Action: RecordAction>: ParsableCommand {
  package static var configuration: CommandConfiguration { Action.verb.configuration }

  @OptionGroup var record: RecordArgument<Action.Record>
  @OptionGroup var action: Action
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let library = try common.openLibrary(for: .writing, Action.Record.self)
    let before = try record.record(in: library)
    let result = try action.apply(to: before, in: library)
    action.note(result, of: before, on: common.console)
    try common.console.show(result, Action.verb.done)
  }
}
