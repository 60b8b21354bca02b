internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWorkerPool

/// `holdfast import`
struct ImportCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import",
    abstract: "Import recordings from files and folders.",
    discussion: """
      Sources are only read, unless you give --move. In a folder, hidden files, links, photos and \
      documents are skipped. The movie half of a Live Photo is skipped when its photo is beside it. A \
      recording may last 120 s.
      """)

  @Argument(help: "Files and folders.", completion: .file())
  var paths: [String] = []

  @Flag(
    help:
      "Import what is new on the phones that the desktop or ifuse has mounted: in their DCIM folders, what was never imported and has changed since it was refused."
  )
  var fromPhone = false

  @OptionGroup var how: ImportChoices

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if paths.isEmpty, !fromPhone {
      throw ValidationError("Name the files and folders to import.")
    }
  }

  func run() async throws {
    try await engine.withEngine { try await run(with: $0) }
  }

  private func run(with engine: WorkerPool) async throws {
    let console = common.console
    let library =
      dryRun
      ? try common.openLibrary(for: .planning, engine: engine)
      : try common.openLibraryToWrite(engine: engine)
    let run = try library.importRecordings(
      try paths + foldersOfPhones(),
      options: how.options(remembersSources: fromPhone, isDryRun: dryRun))

    var printer = ImportPrinter(console, isDryRun: dryRun, moves: how.move)
    let stop = StopFlag()
    let progress = printer.progress
    try await Interruption.handled {
      stop.set()
      run.cancel()
      // The next interruption ends the process at once, so clear the terminal now.
      progress?.close()
    } _: {
      for try await event in run { try printer.show(event) }
    }
    try printer.finish(wasInterrupted: stop.isSet)
    if stop.isSet { throw ExitCode.interrupted }
    if printer.summary.failed > 0 { throw ExitCode.someFailed }
  }

  /// The folders of the phones that are mounted, if they were asked for.
  private func foldersOfPhones() throws -> [String] {
    guard fromPhone else { return [] }
    let phones = ConnectedPhone.all(environment: ProcessInfo.processInfo.environment)
    if phones.isEmpty { throw NoPhone() }
    for phone in phones { common.console.note("Looking at what is new on \(phone.name).") }
    return phones.flatMap(\.folders)
  }
}

/// No phone is mounted.
private struct NoPhone: Error, CustomStringConvertible {
  let description =
    "no phone with a DCIM folder is mounted; unlock it, allow it to share files, and open it in the file "
    + "manager or with ifuse"
}
