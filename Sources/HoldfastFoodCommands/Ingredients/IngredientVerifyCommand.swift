internal import ArgumentParser
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food ingredient verify`
struct IngredientVerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify", abstract: "Note that you have checked an ingredient's figures.")

  @OptionGroup var record: RecordArgument<Ingredient>

  @Option(
    help: ArgumentHelp(
      "The state to note: \(VerificationStatus.words) (default: verified).", valueName: "status"),
    transform: { try VerificationStatus(named: $0) })
  var status: VerificationStatus?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let status = status ?? .verified
    try common.edit(record, status.rawValue) { $0.verificationStatus = status }
  }
}
