import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore a library, or recordings, or rebuild a catalog.",
    discussion: """
      With --to, each file is compared with the backup's list while it is copied, and the library \
      is verified before it gets its name. With --recording, single recordings come back into the \
      library that was backed up, with the links of cravings and journal entries that named them. \
      A recording that is there already, if only under an ID that a merge gave it, keeps its row: \
      its damaged or missing files are repaired, and links that it lost come back. The backup is \
      only read.

      With --rebuild, no backup is needed: a library's catalog that is missing or cannot be opened \
      is rebuilt from its readable rows and from the recordings' files. The old one moves into \
      .quarantine.
      """)

  @Argument(
    help: ArgumentHelp(
      "The folder with the backups, or one of the backups in it. With --rebuild, the library "
        + "instead (default: that of --library)."
    ),
    completion: .directory)
  var folder: String?

  @Option(
    help: ArgumentHelp(
      "Where the library is to be: a new folder, or an empty one.", valueName: "dir"),
    completion: .directory)
  var to: String?

  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp(
      "The recordings to bring back into the library: their ids, or at least the first four "
        + "characters of each.",
      valueName: "id"))
  var recording: [String] = []

  @Option(
    help: ArgumentHelp(
      "Use the newest backup that is not later than this day or minute, such as \"2025-10-25 "
        + "15:42\", or the backup of this name (default: the newest).",
      valueName: "time"))
  var at: BackupTime?

  @Flag(help: "Rebuild a library's catalog that is missing or cannot be opened.")
  var rebuild = false

  @Flag(help: "Restore the rest of a backup in which a file is damaged or missing. Needs --to.")
  var takeRest = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    guard [to != nil, !recording.isEmpty, rebuild].count(where: \.self) == 1 else {
      throw ValidationError("Give one of --to DIR, --recording ID and --rebuild.")
    }
    if folder == nil, !rebuild { throw ValidationError("Name the folder with the backups.") }
    if takeRest, to == nil { throw ValidationError("--take-rest needs --to.") }
    if rebuild, at != nil {
      throw ValidationError("--at is for backups, and --rebuild needs none.")
    }
    if rebuild, folder != nil, common.libraryPath != nil {
      throw ValidationError("Name the library once.")
    }
  }

  func run() async throws {
    if let folder, !rebuild {
      common.console.noteSettled(try Backups(in: folder).settle())
    }
    if let to { return try await restore(to: to) }
    try await engine.withEngine { engine in
      if rebuild {
        let location = try folder.map { LibraryLocation(path: $0) } ?? common.location()
        return try await rebuild(location, with: engine)
      }
      try await restoreRecordings(with: engine)
    }
  }

  private func restore(to: String) async throws {
    let console = common.console
    let run = try Library.restore(
      from: folder ?? "", to: LibraryLocation(path: to), taking: at?.choice ?? .newest,
      takingRest: takeRest,
      journals: KnownJournals.all)
    var failed = 0
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .began(let backup):
        console.note("Restoring the backup of \(backup.moment.localText).")
      case .copied(let done, let total): lines.progress(done, of: total)
      case .failed(let path, let error):
        failed += 1
        try lines.show(
          // Only a restore of the rest goes on after this.
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

/// A backup's name, or a time in the past: a day means its end.
struct BackupTime: ExpressibleByArgument {
  let choice: BackupChoice

  init?(argument: String) {
    if let day = try? Day(argument) {
      // Until the next day begins, on this machine's clock.
      guard let next = try? Entry.moment("\(day.adding(days: 1)) 00:00", now: Date()).date else {
        return nil
      }
      choice = .asOf(next.addingTimeInterval(-0.001))
    } else if let time = try? Entry.moment(argument, now: Date()).date {
      // The list shows minutes, so a time means the whole minute.
      choice = .asOf(time.addingTimeInterval(59.999))
    } else {
      choice = .named(argument)
    }
  }
}
