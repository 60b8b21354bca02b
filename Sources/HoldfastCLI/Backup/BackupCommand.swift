import ArgumentParser

struct BackupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back the library up, and look after its backups.",
    discussion: """
      holdfast backup DIR makes a backup, also while other commands are at work. Each backup is a \
      folder in the form of BagIt, which other programs can verify as well.
      """,
    subcommands: [BackupMakeCommand.self, BackupListCommand.self, BackupVerifyCommand.self],
    defaultSubcommand: BackupMakeCommand.self)
}
