package import ArgumentParser
internal import HoldfastCravings

/// `holdfast usage`
package struct UsageCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "usage", abstract: "Log what you used.",
    subcommands: [
      UsageLogCommand.self, UsageListCommand.self, UsageShowCommand.self, UsageEditCommand.self,
      UsageDeleteCommand.self,
    ])

  package init() {}
}
