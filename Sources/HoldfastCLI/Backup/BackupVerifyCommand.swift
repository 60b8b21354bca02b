import ArgumentParser
import Holdfast
import HoldfastConsole

struct BackupVerifyCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Read backups whole, and compare them with their lists.",
    discussion: """
      Each file that is missing, damaged, or in no list is named. sha256sum and BagIt's own tools \
      can verify a backup too.
      """)

  @Argument(
    help: "The folder with the backups, or one of the backups in it.", completion: .directory)
  var folder: String

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let console = common.console
    console.noteSettled(try Backups(in: folder).settle())
    let run = try Backups(in: folder).verify()
    var findings = 0
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .read(let done, let total): lines.progress(done, of: total)
      case .found(let finding):
        findings += 1
        try lines.show(finding, finding.line(console))
      case .finished(let backups):
        guard !console.isJSON else { return }
        console.note(
          "\(backups.count.counted("backup")) read whole: "
            + (findings == 0 ? "nothing found." : "\(findings.counted("finding"))."))
      }
    }
    if findings > 0 { throw ExitCode.found }
  }
}

extension BackupFinding {
  func line(_ console: Console) -> String {
    let place = path.isEmpty ? backup : "\(backup)/\(path)"
    return "\(console.colored(kind.rawValue, .red)): \(place): \(detail)"
  }
}
