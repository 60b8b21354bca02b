internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast import-data`
struct ImportDataCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-data",
    abstract: "Take in what export --format json has written.",
    discussion: """
      What the library does not know is added; what it knows is replaced where the document's was \
      changed later. Recordings are only updated: take their files in first, with import. All is \
      done in one step, or nothing.
      """)

  @Argument(help: "The document.", completion: .file())
  var file: String

  @Flag(help: "Only say what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let document = try Library.exportDocument(inFile: file)
    let library = dryRun ? try common.openLibrary(for: .planning) : try common.openLibraryToWrite()
    let report = try library.importData(document, isDryRun: dryRun)
    try DataImportPrinter(console: console).show(report)
    if !report.items.isEmpty { throw ExitCode.someFailed }
  }
}
