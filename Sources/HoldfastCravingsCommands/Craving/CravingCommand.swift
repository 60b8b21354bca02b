package import ArgumentParser
import HoldfastConsole
import HoldfastCravings

package struct CravingCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "craving", abstract: "Log cravings, and what helped.",
    subcommands: [
      CravingLogCommand.self, CravingListCommand.self, RecordShowCommand<Craving>.self,
      RecordEditCommand<CravingEdit>.self, RecordLinkCommand<Craving>.self,
      RecordUnlinkCommand<Craving>.self, RecordDeleteCommand<Craving>.self,
    ])

  package init() {}
}
