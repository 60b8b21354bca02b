internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// The argument that names a record of a kind.
struct RecordArgument: ParsableArguments {
  @Argument(help: "Its id, or at least four characters of its beginning.")
  var id: String
}

/// `show`, for records of any kind.
struct RecordShowCommand<Record: ShownRecord>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "show", abstract: "Show everything about a \(Record.kind.singular).")
  }

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .reading, .faith).faith
    try common.console.showAll(faith.record(Record.self, idPrefix: record.id))
  }
}

/// `delete`, for records of any kind.
struct RecordDeleteCommand<Record: ShownRecord>: ParsableCommand {
  static var configuration: CommandConfiguration {
    let recordings = Record.declaration.link == nil ? "" : "; their recordings are kept"
    return CommandConfiguration(
      commandName: "delete", abstract: "Delete \(Record.kind.plural)\(recordings).")
  }

  @Argument(help: "The ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading, .faith).faith
    let records = try ids.map { try known.record(Record.self, idPrefix: $0) }
    if !yes { try console.confirmDeleting(records, name: \.line) }
    let library = try common.openLibrary(for: .writing, .faith)
    try console.deleting(records, from: library, name: \.line) {
      try library.faith.delete(Record.self, id: $0.id)
      return []
    }
  }
}

/// `link`, for records of a kind that has a link to a recording.
struct RecordLinkCommand<Record: ShownRecord>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "link",
      abstract: "Link a \(Record.kind.singular) to the recording that goes with it.")
  }

  @OptionGroup var record: RecordArgument

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .faith)
    let recording = try library.recording(idPrefix: recording).id
    let before = try library.faith.record(Record.self, idPrefix: record.id)
    let linked = try library.faith.edit(Record.self, id: before.id) {
      if let path = Record.declaration.link?.path { $0[keyPath: path] = recording }
    }
    try common.console.show(linked, "linked")
  }
}

/// `unlink`, for records of a kind that has a link to a recording.
struct RecordUnlinkCommand<Record: ShownRecord>: ParsableCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      commandName: "unlink",
      abstract: "Remove a \(Record.kind.singular)'s link to a recording.")
  }

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(Record.self, idPrefix: record.id)
    let unlinked = try faith.edit(Record.self, id: before.id) {
      if let path = Record.declaration.link?.path { $0[keyPath: path] = nil }
    }
    try common.console.show(unlinked, "unlinked")
  }
}
