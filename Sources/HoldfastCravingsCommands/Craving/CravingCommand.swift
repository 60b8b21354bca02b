package import ArgumentParser
internal import HoldfastCravings

/// `holdfast craving`
package struct CravingCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "craving", abstract: "Log cravings, and what helped.",
    subcommands: [
      CravingLogCommand.self, CravingListCommand.self, CravingShowCommand.self,
      CravingEditCommand.self, CravingLinkCommand.self, CravingUnlinkCommand.self,
      CravingDeleteCommand.self,
    ])

  package init() {}
}
