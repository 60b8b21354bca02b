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
    let library = try common.openLibrary(for: dryRun ? .planning : .writing)
    let report = try library.importDocument(at: file, isDryRun: dryRun)
    try DataImportPrinter(console: common.console).show(
      report, orElse: "Nothing to import: it has no records.")
    if !report.items.isEmpty { throw ExitCode.someFailed }
  }
}
