internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastCravings

/// `holdfast craving edit`
struct CravingEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a craving; only what you name changes.",
    discussion: "An empty --location or --notes removes it.")

  @OptionGroup var record: RecordArgument<Craving>

  @Option(help: "How strong it was, from 1 to 10.", transform: { try Intensity(argument: $0) })
  var intensity: Intensity?

  @OptionGroup var changes: EntryChanges
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if intensity == nil, !changes.isGiven {
      throw ValidationError(
        "Name what to change: --intensity, --trigger, --no-triggers, --location, --notes or --at.")
    }
  }

  func run() throws {
    try common.edit(record, time: changes.entry.time, of: \.timestamp) { craving in
      if let intensity { craving.intensity = intensity }
      try changes.change(&craving)
    }
  }
}
