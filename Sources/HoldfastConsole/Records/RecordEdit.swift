package import ArgumentParser
package import Foundation
package import Holdfast

/// The options of an edit, one for each value that can be changed: ``RecordEditCommand`` makes it.
package protocol RecordEdit: ParsableArguments {
  associatedtype Record: ShownRecord

  static var verb: RecordVerb { get }
  /// The options to choose from: "--title or --notes". An empty text names none.
  static var options: String { get }
  /// What was done, as one word.
  var done: String { get }
  var changes: [Change<Record>?] { get }

  /// Changes the record, in one transaction.
  func edit(
    _ id: Record.ID, in library: Library, now: Date, _ change: (inout Record) throws -> Void
  ) throws -> Record
}

extension RecordEdit {
  package static var options: String { "" }
  package var done: String { Self.verb.done }

  package func validate() throws { try requireChange(changes, Self.options) }

  package func edit(
    _ id: Record.ID, in library: Library, now: Date, _ change: (inout Record) throws -> Void
  ) throws -> Record {
    try library.edit(Record.self, id: id, now: now, change)
  }
}

/// Changes the record that a person named, and prints it.
package struct RecordEditCommand<Edit: RecordEdit>: ParsableCommand {
  package static var configuration: CommandConfiguration { Edit.verb.configuration }

  @OptionGroup var record: RecordArgument<Edit.Record>
  @OptionGroup var edit: Edit
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let library = try common.openLibrary(for: .writing, Edit.Record.self)
    let before = try record.record(in: library)
    let changes = try edit.changes.reading()
    let now = changes.now()
    let result = try edit.edit(before.id, in: library, now: now ?? Date()) {
      try changes.apply(to: &$0)
    }
    if let now { common.console.warnIfOld(result, now: now) }
    try common.console.show(result, edit.done)
  }
}
