package import ArgumentParser
import HoldfastConsole
import HoldfastCravings

package struct UsageCommand: ParsableCommand {
  package static let configuration = CommandConfiguration(
    commandName: "usage", abstract: "Log what you used.",
    subcommands: [
      RecordAddCommand<NewUsage>.self, UsageListCommand.self, RecordShowCommand<Usage>.self,
      RecordEditCommand<UsageEdit>.self, RecordDeleteCommand<Usage>.self,
    ])

  package init() {}
}
