internal import ArgumentParser

/// The `holdfast` command.
struct HoldfastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holdfast",
    abstract: "A private, local library of the recordings you will need one day.",
    discussion: """
      Exit status: 0 done; 1 the command as a whole could not run; 3 at least one item failed or \
      was refused, the others are done; 4 verify or doctor found something; 64 bad usage; 130 interrupted.
      """,
    subcommands: [
      ImportCommand.self, ProbeCommand.self, ListCommand.self, ShowCommand.self, PlayCommand.self,
      EditCommand.self, DeleteCommand.self, CravingCommand.self, UsageCommand.self,
      MessageCommand.self, StatsCommand.self, VerifyCommand.self, ExportCommand.self,
      ImportDataCommand.self, EraseCommand.self, DoctorCommand.self,
    ])
}
