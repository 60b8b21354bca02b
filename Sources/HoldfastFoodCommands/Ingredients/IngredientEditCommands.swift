internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food ingredient edit`
struct IngredientEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change an ingredient; only what you name changes.",
    discussion: """
      Entries that were logged with it keep their figures. An empty --fiber, --sugar or \
      --subcategory removes it.
      """)

  @OptionGroup var record: RecordArgument<Ingredient>
  @OptionGroup var options: IngredientOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if !options.isGiven { throw ValidationError("Name what to change.") }
  }

  func run() throws { try common.edit(record, "changed") { options.change(&$0) } }
}

extension CommonOptions {
  /// Changes an ingredient, and prints it.
  ///
  /// - Parameters:
  ///   - argument: Names it.
  ///   - done: What was done, as one word.
  ///   - change: Changes it.
  func edit(
    _ argument: RecordArgument<Ingredient>, _ done: String,
    _ change: (inout Ingredient) throws -> Void
  ) throws {
    try update(argument, done) { try $0.food.editIngredient(id: $1.id, change) }
  }
}

/// `holdfast food ingredient alias`
struct IngredientAliasCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "alias", abstract: "Add other names to an ingredient, or remove them.")

  @OptionGroup var record: RecordArgument<Ingredient>

  @Argument(help: "The names. They are kept in lower case.")
  var names: [String]

  @Flag(help: "Remove the names.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.edit(record, "changed") { ingredient in
      for name in names {
        if remove { ingredient.removeAlias(name) } else { ingredient.addAlias(name) }
      }
    }
  }
}

/// `holdfast food ingredient tag`
struct IngredientTagCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tag", abstract: "Add tags to an ingredient, or remove them.")

  @OptionGroup var record: RecordArgument<Ingredient>

  @Argument(help: "The tags.")
  var tags: [String]

  @Flag(help: "Remove the tags.")
  var remove = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.edit(record, "changed") { ingredient in
      for tag in tags {
        if remove { ingredient.tags.removeAll { $0 == tag } } else { ingredient.addTag(tag) }
      }
    }
  }
}

extension Ingredient {
  /// Adds a tag, unless it is there already.
  mutating func addTag(_ tag: String) {
    if !tags.contains(tag) { tags.append(tag) }
  }
}

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
