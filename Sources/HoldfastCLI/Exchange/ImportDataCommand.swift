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
      files first. Records of a journal need the journal to be enabled. Either all of this is \
      done, or nothing.
      """)

  @Argument(help: "The document.", completion: .file())
  var file: String

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let document = try ExportDocument(contentsOf: file, journals: KnownJournals.all)
    let library = dryRun ? try common.openLibrary(for: .planning) : try common.openLibraryToWrite()
    let report = try library.importData(document, isDryRun: dryRun)
    try DataImportPrinter(console: console).show(report)
    if !report.items.isEmpty { throw ExitCode.someFailed }
  }
}
