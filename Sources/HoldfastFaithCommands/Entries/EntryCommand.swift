internal import ArgumentParser
internal import HoldfastFaith

/// `holdfast faith entry`
struct EntryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "entry", abstract: "Write in the journal, and read in it.",
    subcommands: [
      EntryWriteCommand.self, EntryListCommand.self, RecordShowCommand<JournalEntry>.self,
      EntryEditCommand.self, EntryTagCommand.self, EntryTagsCommand.self,
      RecordLinkCommand<JournalEntry>.self, RecordUnlinkCommand<JournalEntry>.self,
      RecordDeleteCommand<JournalEntry>.self, EntryPromptCommand.self,
    ])
}
