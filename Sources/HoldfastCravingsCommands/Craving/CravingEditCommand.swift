internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast craving edit`
struct CravingEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a craving; only what you name changes.",
    discussion: "An empty --location or --notes removes it.")

  @Argument(help: "The craving's id, or at least four characters of its beginning.")
  var id: String

  @Option(help: "How strong it was, from 1 to 10.", transform: { try Intensity(argument: $0) })
  var intensity: Intensity?

  @OptionGroup var entry: EntryOptions

  @Flag(help: "Remove all triggers.")
  var noTriggers = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if noTriggers, !entry.triggers.isEmpty {
      throw ValidationError("--no-triggers and --trigger contradict each other.")
    }
    if intensity == nil, !noTriggers, !entry.isGiven {
      throw ValidationError(
        "Name what to change: --intensity, --trigger, --no-triggers, --location, --notes or --at.")
    }
  }

  func run() throws {
    let library = try common.openLibraryToWrite()
    let now = entry.now
    let craving = try library.edit(Craving.self, id: library.record(Craving.self, idPrefix: id).id, now: now) {
      craving in
      if let intensity { craving.intensity = intensity }
      try entry.change(&craving, dropsTriggers: noTriggers)
    }
    if entry.at != nil { common.console.warnIfOld(craving.timestamp, now: now) }
    try common.console.show(craving, "changed")
  }
}
