internal import ArgumentParser

/// `holdfast usage`
struct UsageCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "usage", abstract: "Log what you used.",
    subcommands: [
      UsageLogCommand.self, UsageListCommand.self, UsageShowCommand.self, UsageEditCommand.self,
      UsageDeleteCommand.self,
    ])
}
