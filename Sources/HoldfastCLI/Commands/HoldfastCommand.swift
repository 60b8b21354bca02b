internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastModel

/// The `holdfast` command.
struct HoldfastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holdfast",
    abstract: "A private, local library of the recordings you will need one day.",
    discussion: """
      Exit status: 0 done; 1 the whole command failed; 3 at least one item failed or was refused, \
      and the others are done; 4 verify or doctor found something; 64 wrong usage; 130 interrupted.
      """,
    version: Library.version,
    subcommands: [
      InitCommand.self, ImportCommand.self, ProbeCommand.self, ListCommand.self, ShowCommand.self,
      PlayCommand.self, EditCommand.self, DeleteCommand.self, CravingCommand.self,
      UsageCommand.self, MessageCommand.self, ThumbnailsCommand.self, StatsCommand.self,
      VerifyCommand.self, BackupCommand.self, RestoreCommand.self, ExportCommand.self,
      ImportDataCommand.self, EraseCommand.self,
      DoctorCommand.self, JournalsCommand.self,
    ] + Journals.all.map { $0 as any ParsableCommand.Type })

  /// Ends the process as ArgumentParser does, but with control characters in errors escaped:
  /// ArgumentParser repeats the user's arguments unchanged, and a terminal would obey them.
  static func exit(withError error: any Error) -> Never {
    let code = exitCode(for: error)
    guard !code.isSuccess else {
      let parser: any ParsableArguments.Type = self
      parser.exit(withError: error)
    }
    let lines = fullMessage(for: ExplainedError.explaining(error)).split(
      separator: "\n", omittingEmptySubsequences: false)
    let text = lines.map { String($0).escapedForDisplay }.joined(separator: "\n")
    if !text.isEmpty { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }
    Glibc.exit(code.rawValue)
  }
}
