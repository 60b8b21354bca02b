import ArgumentParser
import Foundation
import Glibc
import Holdfast
import HoldfastConsole
import HoldfastCravingsCommands

struct HoldfastCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "holdfast",
    abstract: "A private, local library of the recordings you will need one day.",
    discussion: """
      Exit status: 0 done; 1 the whole command failed; 3 at least one item failed or was refused, \
      and the others are done; 4 verify or doctor found something; 64 wrong usage; 130 interrupted.
      """,
    version: Library.version,
    subcommands: commands(for: CommandLine.arguments.dropFirst()))

  private static let core: [any ParsableCommand.Type] = [
    InitCommand.self, ImportCommand.self, WatchCommand.self, WatchBatchCommand.self,
    ProbeCommand.self, ListCommand.self, ShowCommand.self,
    PlayCommand.self, EditCommand.self, DeleteCommand.self, TranscribeCommand.self,
    TranscriptCommand.self,
    CravingCommand.self, UsageCommand.self, MessageCommand.self, ThumbnailsCommand.self,
    StatsCommand.self, VerifyCommand.self, BackupCommand.self, RestoreCommand.self,
    MergeCommand.self, ServeCommand.self, ExportCommand.self, ImportDataCommand.self,
    ImportAppCommand.self, EraseCommand.self, DoctorCommand.self, JournalsCommand.self,
  ]

  /// Returns the commands that these arguments may be about: one of them if the first argument
  /// names it, and all of them otherwise.
  ///
  /// ArgumentParser examines every subcommand of every command before it parses anything, which
  /// would make every command slower.
  static func commands(for arguments: some Collection<String>) -> [any ParsableCommand.Type] {
    let all = core + Journals.all.map { $0 as any ParsableCommand.Type }
    if Array(arguments) == ["--version"] { return [] }
    guard let first = arguments.first, !asksForMore(arguments) else { return all }
    return all.first { $0.configuration.commandName == first }.map { [$0] } ?? all
  }

  /// Whether arguments ask for help, completion scripts or documents about the command, which have
  /// all commands.
  private static func asksForMore(_ arguments: some Collection<String>) -> Bool {
    let beginnings = ["--generate", "---completion", "--experimental", "--help-"]
    return arguments.contains { word in
      ["-h", "--help", "help", "--version"].contains(word)
        || beginnings.contains(where: word.hasPrefix)
    }
  }

  func run() throws { try Overview.show() }

  /// Ends the process as ArgumentParser does, but with control characters in errors escaped:
  /// ArgumentParser repeats the user's arguments unchanged, and a terminal would obey them.
  static func exit(withError error: any Error) -> Never {
    let code = exitCode(for: error)
    guard !code.isSuccess else {
      let parser: any ParsableArguments.Type = self
      parser.exit(withError: error)
    }
    var lines = fullMessage(for: HoldfastError.explained(error)).split(
      separator: "\n", omittingEmptySubsequences: false)
    let arguments = CommandLine.arguments.dropFirst()
    if code == .validationFailure, let first = lines.first,
      let meant = CommandSuggestion(for: arguments, of: self)
    {
      lines[0] = first + ". Did you mean '\(meant)'?"
    }
    let text = lines.map { String($0).escapedForDisplay }.joined(separator: "\n")
    if !text.isEmpty { try? FileHandle.standardError.write(contentsOf: Data("\(text)\n".utf8)) }
    Glibc.exit(code.rawValue)
  }
}
