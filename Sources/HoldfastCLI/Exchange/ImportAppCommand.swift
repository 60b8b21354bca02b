import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastWorkerPool

struct ImportAppCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-app",
    abstract: "Import an app's own data: its recordings, and what it logged.",
    discussion: """
      PATH is the folder of the app's container or of its documents, its store, a JSON document, \
      a folder of voice memos, or a phone's backup that is not encrypted. Nothing there is \
      changed. Recordings keep the app's IDs, titles, notes, purposes, dates and plays, and are \
      imported like any other; then records come in with their links. Whatever is not kept is \
      named. A second import adds only what is new or newer. Records of a journal need the \
      journal to be enabled.
      """)

  @Argument(help: "The folder or file.", completion: .file())
  var path: String

  @Option(
    help: ArgumentHelp(
      "The app, by a part of its name, when a backup holds several.", valueName: "name"))
  var app: String?

  @Option(
    help: ArgumentHelp(
      """
      The person whose records are imported, as the app names people; without it, those of all. A \
      first run with --dry-run lists them.
      """, valueName: "name"))
  var user: String?

  @Flag(help: "Also import recordings that are in the app's bin, and what was deleted here.")
  var deleted = false

  @Option(
    help: """
      What happens to a recording longer than \(Int(RecordingLimit.seconds)) s: refuse; trim keeps \
      its first \(Int(RecordingLimit.seconds)) s; split makes several recordings, the first with \
      the app's ID.
      """)
  var overLimit: OverLimitPolicy = .refuse

  @Option(
    help: "How many recordings to work on at a time, from 1 to 256 (default: the number of cores).")
  var jobs: Int?

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws { try JobCount.validate(jobs) }

  func run() async throws {
    try await engine.withEngine { try await run(with: $0) }
  }

  private func run(with engine: WorkerPool) async throws {
    let console = common.console
    let library = try common.openLibrary(for: dryRun ? .planning : .writing, engine: engine)
    let app = try library.readApp(
      at: path, app: app, user: user, includingDeleted: deleted, journals: KnownJournals.all)
    if console.isJSON {
      try console.json(["event": "recognised", "source": app.summary])
    } else {
      console.result("Recognised \(app.summary).")
    }
    try app.validate()
    let failed = app.hasRecordings ? try await importRecordings(of: app, console) : 0
    var report = try app.importRecords(isDryRun: dryRun)
    let photos = try await app.importPhotos(isDryRun: dryRun)
    if photos.imported > 0 {
      report.notes.append(
        "\(photos.imported.counted("photo")) "
          + (dryRun
            ? "would come with the entries, if they can be read" : "came with the entries"))
    }
    if photos.missing > 0 {
      report.notes.append(
        "\(photos.missing.counted("photo")) not in the app's folder, kept as text")
    }
    report.notes += photos.failures.map { "\($0); it is kept as text" } + app.unreadable
    try DataImportPrinter(console: console).show(report)
    let isWhole = photos.failures.isEmpty && app.unreadable.isEmpty && report.items.isEmpty
    if failed > 0 || !isWhole {
      throw ExitCode.someFailed
    }
  }

  /// - Returns: How many recordings were refused.
  private func importRecordings(of app: AppImport, _ console: Console) async throws -> Int {
    let run = try app.importRecordings(
      options: ImportOptions(
        conversion: ConversionOptions(overLimit: overLimit), includesLivePhotos: true,
        isDryRun: dryRun, jobs: jobs))
    var printer = ImportPrinter(console, isDryRun: dryRun, moves: false)
    let wasInterrupted = try await run.forEachEvent(below: printer.progress) {
      try printer.show($0)
    }
    try printer.finish(wasInterrupted: wasInterrupted)
    if wasInterrupted { throw ExitCode.interrupted }
    return printer.summary.failed
  }
}
