internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith entry tag`
struct EntryTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Add tags to an entry, or remove them.")

  @OptionGroup var record: RecordArgument

  @Argument(help: "The tags. \"Faith\" and \"faith\" are the same.")
  var tags: [String]

  @Flag(help: "Remove them.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let before = try faith.record(JournalEntry.self, idPrefix: record.id)
    let entry = try faith.edit(JournalEntry.self, id: before.id) { entry in
      if remove { entry.removeTags(tags) } else { entry.tags += tags }
    }
    try common.console.show(entry, "changed")
  }
}

/// `holdfast faith entry tags`
struct EntryTagsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tags", abstract: "List the tags of entries, most used first.")

  @OptionGroup var privacy: PrivateOption
  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, .faith)
    let tags = try library.faith.tags(includingPrivate: privacy.includesPrivate)
    try common.console.page(page, noun: { $0.noun("tag") }) { limit in
      Array(tags.dropFirst(page.offset).prefix(limit))
    } json: {
      $0
    } table: { tags in
      var table = TextTable([
        .init(heading: "ENTRIES", alignment: .right), .init(heading: "TAG"),
      ])
      for tag in tags { table.add(["\(tag.count)", tag.tag]) }
      return table
    }
  }
}
