internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith prayer reopen`
struct PrayerReopenCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reopen",
    abstract: "Make a prayer active again, without its answer and your notes about it.")

  @OptionGroup var record: RecordArgument

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, .faith).faith
    let before = try known.record(PrayerRequest.self, idPrefix: record.id)
    if !yes, let notes = before.answerNotes {
      common.console.error("\(before.id.short)  \(notes.cut(to: 300).escapedForDisplay)")
      try Question("Remove these notes for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing, .faith)
    try common.console.show(library.faith.reopen(id: before.id), "reopened")
    guard common.console.compact(library) else { throw ExitCode.someFailed }
  }
}

/// `holdfast faith prayer archive`
struct PrayerArchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "archive", abstract: "Put a prayer away; an answer stays.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(PrayerRequest.self, idPrefix: record.id)
    try common.console.show(faith.archive(id: before.id), "archived")
  }
}

/// `holdfast faith prayer unarchive`
struct PrayerUnarchiveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unarchive",
    abstract: "Bring a prayer back: answered if it has an answer, else active.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(PrayerRequest.self, idPrefix: record.id)
    try common.console.show(faith.unarchive(id: before.id), "unarchived")
  }
}
