package import ArgumentParser
package import Holdfast

package struct RecordArgument<Record: ShownRecord>: ParsableArguments {
  @Argument(help: Record.idHelp) package var id: String

  package init() {}

  package func record(in library: Library) throws -> Record {
    try Record.named(id, in: library)
  }
}

package struct RecordShowCommand<Record: ShownRecord>: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(commandName: "show", abstract: Record.showAbstract)
  }

  @OptionGroup var record: RecordArgument<Record>
  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let library = try common.openLibrary(for: .reading, Record.self)
    try common.console.showAll(record.record(in: library), in: library)
  }
}

package struct RecordDeleteCommand<Record: ShownRecord>: ParsableCommand {
  package static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "delete", abstract: Record.deleteAbstract, discussion: Record.deleteDiscussion)
  }

  @Argument(help: Record.idsHelp) var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  package init() {}

  package func run() throws {
    let known = try common.openLibrary(for: .reading, Record.self)
    try common.delete(ids.map { try Record.named($0, in: known) }, asking: !yes)
  }
}

/// `link`, for records of a kind that has a link to a recording.
package struct LinkRecord<Record: ShownRecord>: RecordAction {
  package static var verb: RecordVerb {
    RecordVerb("link", done: "linked", abstract: Record.linkAbstract)
  }

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var recording: String

  package init() {}

  package func apply(to record: Record, in library: Library) throws -> Record {
    try library.link(record, to: library.recordingID(recording))
  }
}

/// `unlink`, for records of a kind that has a link to a recording.
package struct UnlinkRecord<Record: ShownRecord>: RecordAction {
  package static var verb: RecordVerb {
    RecordVerb("unlink", done: "unlinked", abstract: Record.unlinkAbstract)
  }

  package init() {}

  package func apply(to record: Record, in library: Library) throws -> Record {
    try library.link(record, to: nil)
  }
}

package typealias RecordLinkCommand<Record: ShownRecord> = RecordActionCommand<LinkRecord<Record>>
package typealias RecordUnlinkCommand<Record: ShownRecord> =
  RecordActionCommand<UnlinkRecord<Record>>

extension Library {
  /// Links a record to a recording, or removes its link.
  fileprivate func link<Record: ShownRecord>(
    _ record: Record, to recording: RecordingID?
  ) throws -> Record {
    try edit(Record.self, id: record.id) {
      if let path = Record.declaration.link?.path { $0[keyPath: path] = recording }
    }
  }
}
