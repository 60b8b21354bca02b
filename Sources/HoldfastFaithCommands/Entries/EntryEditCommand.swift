internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith entry edit`
struct EntryEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an entry; only what you name changes.",
    discussion: """
      An empty --mood, --location, --photo or --drawing removes it. Photos that you give replace \
      all that it has.
      """)

  @OptionGroup var record: RecordArgument<JournalEntry>

  @Option(
    parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @OptionGroup var options: EntryOptions

  @Flag(
    name: .customLong("private"), inversion: .prefixedNo,
    help: "Whether lists, searches and statistics leave it out.")
  var isPrivate: Bool?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    try requireChange(
      title != nil || isPrivate != nil || options.isGiven,
      "--title, --content, --mood, --location, --photo, --drawing, --at, --private or --no-private")
  }

  func run() throws {
    let now = options.time.now
    try common.update(record, "changed") { library, before in
      // Before the transaction, during which every other command waits.
      var given = before
      try options.read(into: &given)
      let entry = try library.edit(JournalEntry.self, id: given.id, now: now) { entry in
        if let title { entry.title = title }
        if let isPrivate { entry.isPrivate = isPrivate }
        options.change(&entry)
        if options.content == "-" { entry.content = given.content }
        if options.drawing != nil { entry.drawingData = given.drawingData }
      }
      if options.time.at != nil { common.console.warnIfOld(entry.date, now: now) }
      return entry
    }
  }
}
