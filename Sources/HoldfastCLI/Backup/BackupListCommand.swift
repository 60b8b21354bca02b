import ArgumentParser
import Holdfast
import HoldfastConsole

struct BackupListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the backups in a folder, oldest first.")

  @Argument(help: "The folder with the backups.", completion: .directory)
  var folder: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    console.noteSettled(try Backups(in: folder).settle())
    let backups = try Backups(in: folder).summaries()
    for name in try Backups(in: folder).unreadableNames() {
      console.note("note: \(name.escapedForDisplay) cannot be read as a backup.")
    }
    if console.isJSON { return try console.json(backups) }
    var table = TextTable([
      .init(heading: "BACKUP"), .init(heading: "MADE"),
      .init(heading: "RECORDINGS", alignment: .right), .init(heading: "FILES", alignment: .right),
      .init(heading: "SIZE", alignment: .right), .init(heading: "LACKS", alignment: .right),
    ])
    for backup in backups {
      table.add([
        backup.name.escapedForDisplay, backup.moment.localText, "\(backup.recordings)",
        "\(backup.files)", backup.bytes.megabytes,
        backup.missing == 0 ? "" : backup.missing.counted("file"),
      ])
    }
    console.result(table)
  }
}
