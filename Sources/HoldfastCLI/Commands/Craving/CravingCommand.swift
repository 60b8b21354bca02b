internal import ArgumentParser

/// `holdfast craving`
struct CravingCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "craving", abstract: "Log cravings, and what helped.",
    subcommands: [
      CravingLogCommand.self, CravingListCommand.self, CravingShowCommand.self,
      CravingEditCommand.self, CravingLinkCommand.self, CravingUnlinkCommand.self,
      CravingDeleteCommand.self,
    ])
}
