import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastCravings

struct UsageEdit: RecordEdit {
  static let verb = RecordVerb.edit(
    "Change a usage; only what you name changes.",
    """
    An empty --location or --notes removes it.

    Amounts to choose from:
    \(UsageMethod.explained)
    """)
  static let options =
    "--method, --amount, --trigger, --no-triggers, --location, --notes or --at"

  @Option(word: "In which form: \(UsageMethod.words).", valueName: "method")
  var method: UsageMethod?

  @Option(
    help: ArgumentHelp("How much, in the method's unit.", valueName: "amount"),
    transform: { try UsageMethod.amount($0) })
  var amount: Double?

  @OptionGroup var entry: EntryChanges

  var changes: [Change<Usage>?] {
    [.set(\.method, method), .set(\.amount, amount)] + entry.changes()
  }
}
