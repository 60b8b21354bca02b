internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastModel

/// `holdfast restore`
struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Make a library from a backup.",
    discussion: """
      Each file is compared with the backup's list while it is copied, and the library is verified \
      before it gets its name. The backup is only read.
      """)

  @Argument(
    help: "The folder with the backups, or one of the backups in it.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "Where the library is to be: a new folder, or an empty one.", valueName: "dir"),
    completion: .directory)
  var to: String

  @Option(
    help: ArgumentHelp(
      "Take the newest backup that is not later than this, such as 2025-10-25 or \"2025-10-25 15:42\" (default: the newest).",
      valueName: "time"))
  var at: BackupTime?

  @Flag(help: "Restore the rest of a backup of which a file is damaged or missing.")
  var takeRest = false

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let console = common.console
    let run = try Library.restore(
      from: folder, to: LibraryLocation(path: to), asOf: at?.moment, takingRest: takeRest,
      journals: KnownJournals.all)
    var failed = 0
    try await RunLines(console).follow(run, cancelling: run.cancel) { event, lines in
      switch event {
      case .began(let backup):
        console.note("Restoring the backup of \(backup.moment.localText).")
      case .copied(let done, let total): lines.progress(done, of: total)
      case .failed(let path, let error):
        failed += 1
        try lines.show(
          BackupOutput(event: "failed", path: path, error: error.explained),
          "\(console.colored("not restored", .red))  \(path): \(error.explained)", isError: true)
      case .found(let finding):
        failed += 1
        let finding = finding.explained
        try lines.show(
          finding,
          "\(console.colored(finding.kind.rawValue, .red)): \(finding.path): \(finding.detail)")
      case .finished(let backup):
        try lines.show(
          BackupOutput(event: "restored", path: to, backup: backup),
          "\(console.colored("restored", .green))  \(to.escapedForDisplay)  "
            + "\(backup.recordings.counted("recording")) as of \(backup.moment.localText)")
      }
    }
    if failed > 0 { throw ExitCode.someFailed }
  }
}

/// A time in the past: a day means its end.
struct BackupTime: ExpressibleByArgument {
  let moment: Date

  init?(argument: String) {
    if let day = try? Day(argument) {
      // Until the next day begins, on this machine's clock.
      guard let next = try? Entry.moment("\(day.adding(days: 1)) 00:00", now: Date()).date else {
        return nil
      }
      moment = next.addingTimeInterval(-0.001)
    } else if let time = try? Entry.moment(argument, now: Date()).date {
      moment = time
    } else {
      return nil
    }
  }
}
