import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct CravingLogCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Log a craving.",
    discussion: """
      Intensity: 1 to 3 mild (manageable), 4 to 6 moderate (uncomfortable), 7 to 9 strong \
      (urgent), 10 overwhelming (crisis).
      """)

  @Option(help: "How strong it is, from 1 to 10.", transform: { try Intensity(argument: $0) })
  var intensity: Intensity

  @OptionGroup var entry: EntryOptions

  @Option(help: ArgumentHelp("The recording that helped.", valueName: "id"), completion: .recording)
  var recording: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing)
    let now = entry.now
    let craving = Craving(
      timestamp: entry.at?.moment ?? now, timestampOffset: entry.at?.offset, intensity: intensity,
      triggers: TriggerSet(entry.triggers), location: try entry.place, notes: entry.notes,
      recordingID: try recording.map { try library.recording(idPrefix: $0).id }, createdAt: now)
    try library.add(craving, now: now)
    console.warnIfOld(craving, now: now)
    try console.show(craving, "logged")
  }
}

extension Intensity {
  init(argument text: String) throws(RuleError) {
    guard let number = Int(text) else {
      throw RuleError(
        "\"\(text.escapedForDisplay)\" is not a number; an intensity goes from 1 to 10")
    }
    try self.init(number)
  }
}
