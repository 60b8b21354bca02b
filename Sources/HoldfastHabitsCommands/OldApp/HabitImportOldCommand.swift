import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastHabits

struct HabitImportOldCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import-old", abstract: "Import the habits of the app Habitto.",
    discussion: """
      The file is JSON: an object with a list "habits", and the XP as "totalXP". What the library \
      has already stays as it is, so a second import adds nothing. The file is only read. What \
      cannot be imported is listed.
      """)

  @Argument(help: "The file.", completion: .file())
  var file: String

  @Flag(help: "Only report what would be done; write nothing.")
  var dryRun = false

  @OptionGroup var user: UserOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let json = try Library.contents(ofFile: file, atMost: 256 << 20)
    let library = try common.openLibrary(for: dryRun ? .reading : .writing, .habits)
    let report = try library.habits.importOld(json, user: user.user, isDryRun: dryRun)
    if console.isJSON {
      try console.json(report)
    } else {
      let verb = dryRun ? "to add" : "added"
      console.result(
        "\(verb): \(report.habits.counted("habit")), \(report.days.counted("day")), "
          + "\(report.reminders.counted("reminder")), \(report.xp) XP")
      if report.unchanged > 0 {
        console.result("unchanged: \(report.unchanged.counted("record"))")
      }
      for item in report.mismatches { console.error("note: \(item.text)") }
      for item in report.leftOut { console.error("left out: \(item.text)") }
    }
    if !report.leftOut.isEmpty { throw ExitCode.someFailed }
  }
}

extension OldHabitsReport.Item {
  fileprivate var text: String {
    let place = [habit.nonBlank, part].compactMap(\.self).joined(separator: ", ")
    return "\(place.escapedForDisplay): \(reason)"
  }
}
