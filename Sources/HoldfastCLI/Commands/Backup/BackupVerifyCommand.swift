internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastModel

/// `holdfast backup verify`
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
    guard try await Self.verify(folder, common.console) else { throw ExitCode.found }
  }

  /// Verifies the backups in a folder, and prints what is wrong.
  ///
  /// - Returns: Whether nothing is.
  static func verify(_ folder: String, _ console: Console) async throws -> Bool {
    let run = try Library.verifyBackups(in: folder)
    var findings = 0
    try await RunLines(console).follow(run, cancelling: run.cancel) { event, lines in
      switch event {
      case .read(let done, let total): lines.progress(done, of: total)
      case .found(let finding):
        findings += 1
        let path = finding.path.isEmpty ? finding.backup : "\(finding.backup)/\(finding.path)"
        try lines.show(
          finding, "\(console.colored(finding.kind.rawValue, .red)): \(path): \(finding.detail)")
      case .finished(let backups):
        guard !console.isJSON else { return }
        console.note(
          "\(backups.counted("backup")) read whole: "
            + (findings == 0 ? "nothing found." : "\(findings.counted("finding"))."))
      }
    }
    return findings == 0
  }
}

extension [BackupSummary] {
  fileprivate func counted(_ noun: String) -> String { count.counted(noun) }
}
