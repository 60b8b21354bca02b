import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import recordings from files and folders.",
    discussion: """
      Sources are only read, unless you give --move. In a folder, hidden files, links, photos and \
      documents are skipped. The movie half of a Live Photo is skipped when its photo is beside \
      it. A recording may last 120 s.
      """)

  @Argument(help: "Files and folders.", completion: .file())
  var paths: [String] = []

  @Flag(
    help: """
      Import new recordings from the DCIM folders of the phones that the desktop or ifuse has \
      mounted: files that were never imported, and refused files that have changed since.
      """)
  var fromPhone = false

  @Option(
    help: ArgumentHelp(
      "Also import the files and folders of a list, - for standard input: one to a line, or each "
        + "ended by a NUL.",
      valueName: "list"),
    completion: .file())
  var filesFrom: String?

  @Option(
    help: ArgumentHelp(
      """
      Import only this share of the sources, such as 3/8; slurm/8 reads the number from \
      SLURM_ARRAY_TASK_ID. The share of a source depends only on its line in the list, or on its \
      path in the folder, so it is the same on every machine.
      """,
      valueName: "number/count"),
    transform: ImportShare.init(argument:))
  var shard: ImportShare?

  @OptionGroup var how: ImportChoices

  @Flag(help: "Then transcribe the new recordings, as the last holdfast transcribe did.")
  var transcribe = false

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if paths.isEmpty, filesFrom == nil, !fromPhone {
      throw ValidationError("Name the files and folders to import.")
    }
    if transcribe, dryRun { throw ValidationError("Give --transcribe or --dry-run, not both.") }
  }

  func run() async throws {
    try await engine.withEngine { try await run(with: $0) }
  }

  private func run(with engine: WorkerPool) async throws {
    let console = common.console
    // If it is missing, the user should know before the import.
    let transcriber = transcribe ? try TranscriberOptions.remembered() : nil
    let library = try common.openLibrary(for: dryRun ? .planning : .writing, engine: engine)
    let run = try library.importRecordings(
      try paths + foldersOfPhones(), listed: try list(),
      options: how.options(remembersSources: fromPhone, share: shard, isDryRun: dryRun))

    var printer = ImportPrinter(console, isDryRun: dryRun, moves: how.move)
    var imported: [RecordingID] = []
    let wasInterrupted = try await run.forEachEvent(below: printer.progress) { event in
      imported += event.recordings.map(\.id)
      try printer.show(event)
    }
    try printer.finish(wasInterrupted: wasInterrupted)
    if wasInterrupted { throw ExitCode.interrupted }
    if let transcriber, !imported.isEmpty {
      try await TranscriptionPrinter(console).show(
        library.transcribe(with: transcriber, options: TranscriptionOptions(new: imported)))
    }
    if printer.summary.failed > 0 { throw ExitCode.someFailed }
  }

  private func list() throws -> SourceList? {
    guard let filesFrom else { return nil }
    return filesFrom == "-"
      ? SourceList(.standardInput, name: "standard input") : try SourceList(atPath: filesFrom)
  }

  /// The folders of the phones that are mounted, if they were asked for.
  private func foldersOfPhones() throws -> [String] {
    guard fromPhone else { return [] }
    let phones = ConnectedPhone.all(environment: ProcessInfo.processInfo.environment)
    if phones.isEmpty {
      throw CommandFailure(
        "no phone with a DCIM folder is mounted; unlock it, allow it to share files, and open it "
          + "in the file manager or with ifuse")
    }
    for phone in phones { common.console.note("Checking \(phone.name) for new recordings.") }
    return phones.flatMap(\.folders)
  }
}

extension ImportShare {
  /// Reads `3/8`, or `slurm/8` with the number from the environment. Slurm's own count of the tasks
  /// is not used: if a task is submitted again, it counts only that one.
  init(argument: String) throws {
    let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
    let hasSign = argument.contains { "+-".contains($0) }
    guard parts.count == 2, !hasSign, let count = Int(parts[1]), count > 0 else {
      throw ValidationError("--shard needs a number and a count, such as 3/8 or slurm/8.")
    }
    var number = Int(parts[0])
    if parts[0] == "slurm" {
      let task = ProcessInfo.processInfo.environment["SLURM_ARRAY_TASK_ID"]
      guard let task else {
        throw ValidationError(
          "--shard slurm/\(count) needs SLURM_ARRAY_TASK_ID, which array jobs have; give --shard "
            + "1/\(count) for the first share."
        )
      }
      number = Int(task)
    }
    guard let number, let share = Self(number, of: count) else {
      let given = number.map(String.init) ?? String(parts[0])
      throw ValidationError(
        "\(given.escapedForDisplay) is not a share of \(count); the shares are 1 to \(count).")
    }
    self = share
  }
}
