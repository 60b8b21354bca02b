import ArgumentParser
import Holdfast
import HoldfastConsole

struct ImportDataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-data",
    abstract: "Import a document that export --format json wrote.",
    discussion: """
      Entries and messages that are new to the library are added. Those that it already has are \
      replaced if the document's were edited later. Recordings are only updated: import their \
      files first. The JSON of an app that import-app reads is imported too. Records of a journal \
      need the journal to be enabled. Either all of this is done, or nothing.
      """)

  @Argument(help: "The document.", completion: .file())
  var file: String

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let report = try importData(console)
    if !report.items.isEmpty { throw ExitCode.someFailed }
  }

  private func importData(_ console: Console) throws -> DataImportReport {
    let document: ExportDocument
    do {
      document = try ExportDocument(contentsOf: file, journals: KnownJournals.all)
    } catch let error as HoldfastError where error.code == .unreadableDocument {
      guard let report = try importApp() else { throw error }
      try report.show(on: console)
      return report.data
    }
    let report = try openLibrary().importData(document, isDryRun: dryRun)
    try console.show(notes: document.remarks.map(\.sentence))
    try DataImportPrinter(console: console).show(report)
    return report
  }

  private func openLibrary() throws -> Library {
    try common.openLibrary(for: dryRun ? .planning : .writing)
  }

  /// Imports a document that an app wrote; `nil` if it is none.
  private func importApp() throws -> AppImportReport? {
    let library = try openLibrary()
    guard let app = try? library.readApp(at: file, journals: KnownJournals.all) else { return nil }
    return try app.importRecords(isDryRun: dryRun)
  }
}
