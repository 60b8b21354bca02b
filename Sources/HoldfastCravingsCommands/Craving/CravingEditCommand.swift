import ArgumentParser
import HoldfastConsole
import HoldfastCravings

struct CravingEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a craving; only what you name changes.", "An empty --location or --notes removes it.")
  static let options =
    "--intensity, --trigger, --no-triggers, --location, --notes or --at"

  @Option(help: "How strong it was, from 1 to 10.", transform: { try Intensity(argument: $0) })
  var intensity: Intensity?

  @OptionGroup var entry: EntryChanges

  var changes: [Change<Craving>?] { [.set(\.intensity, intensity)] + entry.changes() }
}
