import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

/// A form of `import-app` for habits alone, which needs no media engine.
struct HabitImportOldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-old", abstract: "Import the habits of the app Habitto.",
    discussion: """
      The file is a JSON document of the app, old or new, as import-app reads it. A second import \
      adds what is new, and updates what you did not edit here. The file is only read. What cannot \
      be imported is listed.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: dryRun ? .reading : .writing, .habits)
    let app = try library.readApp(at: file, journals: [.habits])
    let report = try app.importRecords(isDryRun: dryRun)
    try DataImportPrinter(console: common.console).show(
      report, orElse: "Nothing to import: it has no habits.")
    if !report.items.isEmpty { throw ExitCode.someFailed }
  }
}
