import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

/// `holdfast backup make`, which is also `holdfast backup`
struct BackupMakeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "make", abstract: "Make a backup.",
    discussion: """
      Files that the last backup has are not copied again: both backups share them. Afterwards \
      older backups are removed, unless this one lacks a file or another cannot be read: all of \
      the last seven days are kept, and the newest of each week of the last year.
      """)

  @Argument(help: "The folder for this library's backups.", completion: .directory)
  var folder: String

  @Option(
    help: ArgumentHelp(
      "How many backups to keep, or all (default: those of a week, and one a week for a year).",
      valueName: "count"))
  var keep: KeptBackups?

  @Flag(help: "Only report what would be copied; write nothing.")
  var dryRun = false

  @Flag(
    help: """
      Make hard links to the library's own files instead of copies. If that disk fails, both are \
      lost.
      """)
  var link = false

  @Flag(help: "Then read all backups in the folder, and compare them with their lists.")
  var verify = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if dryRun, verify { throw ValidationError("--dry-run writes nothing to verify.") }
  }

  func run() async throws {
    let console = common.console
    let library = try open()
    let run = try library.backUp(
      to: folder,
      options: BackupOptions(
        keep: keep?.keep ?? .usual, isDryRun: dryRun, verifies: verify,
        links: link))
    if link {
      console.error(
        "note: with --link, this backup shares its files with the library: if the disk fails, both "
          + "are lost"
      )
    }
    var (failed, findings) = (0, 0)
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .settled(let isFinished): console.noteSettled(isFinished)
      case .cleaned: console.note("Removed what an interrupted backup had left.")
      case .copied(let done, let total): lines.progress(done, of: total)
      case .failed(let path, let error):
        failed += 1
        try lines.show(
          BackupOutput(event: "failed", path: path, error: error.explained),
          "\(console.colored("not backed up", .red))  \(path): \(error.explained)", isError: true)
      case .unreadable(let name, let error):
        failed += 1
        try lines.show(
          BackupOutput(event: "unreadable", path: name, error: error.explained),
          "\(console.colored("unreadable", .red))  \(name): \(error.explained); older backups are "
            + "kept until you have moved it away", isError: true)
      case .removed(let backup):
        try lines.show(
          BackupOutput(event: "removed", backup: backup),
          "\(console.colored("removed", .yellow))  \(backup.name.escapedForDisplay)")
      case .verified(let done, let total): lines.progress(done, of: total)
      case .found(let finding):
        findings += 1
        try lines.show(finding, finding.line(console))
      case .finished(let backup, let copied, let bytes):
        let done = dryRun ? "would back up" : console.colored("backed up", .green)
        let place = dryRun ? folder : backup.path
        try lines.show(
          BackupOutput(
            event: dryRun ? "planned" : "backedUp", backup: backup, copied: copied, bytes: bytes),
          "\(done)  \(place.escapedForDisplay)  \(backup.recordings.counted("recording")); "
            + "\(copied.counted("file")) \(link ? "linked" : "copied, \(bytes.megabytes)")")
      }
    }
    if !dryRun {
      // The pages and the reminders name the last backup. A read-only library does not.
      try? library.waiting(for: 5).noteBackupFolder(
        URL(filePath: folder).standardizedFileURL.path(percentEncoded: false))
    }
    if verify, findings + failed == 0 { console.note("All backups read whole: nothing found.") }
    if findings > 0 { throw ExitCode.found }
    if failed > 0 { throw ExitCode.someFailed }
  }

  /// Opens the library for writing, because recovery brings back files that an interrupted deletion
  /// had moved. A library with an unknown journal can only be read, and is backed up as it is.
  private func open() throws -> Library {
    do {
      return try common.openLibrary(for: dryRun ? .planning : .writing)
    } catch let error as HoldfastError where error.code == .unknownJournal {
      return try common.openLibrary(for: .reading)
    } catch let error as HoldfastError where error.isForWantOfWriting {
      // A user of such a library wants a backup.
      common.console.error(
        "note: nothing can be written to the library, so what an interrupted command left there is "
          + "not repaired before the backup: \(error.explained)")
      return try common.openLibrary(for: .reading)
    }
  }
}

extension Console {
  /// Prints whether an interrupted update of a backup was finished or undone.
  func noteSettled(_ isFinished: Bool?) {
    guard let isFinished else { return }
    note(
      isFinished
        ? "Finished an interrupted update of the backup."
        : "Undid an interrupted update of the backup, which is as it was before.")
  }
}

/// The number of backups to keep, or `all`.
struct KeptBackups: ExpressibleByArgument {
  let keep: BackupOptions.Keep

  init?(argument: String) {
    if argument.lowercased() == "all" {
      keep = .everything
    } else if let count = Int(argument), count > 0 {
      keep = .newest(count)
    } else {
      return nil
    }
  }
}

/// A line of `backup --json`.
struct BackupOutput: Encodable {
  var event: String
  var path: String?
  var error: String?
  var backup: BackupSummary?
  var copied: Int?
  var bytes: Int64?
}
