internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food log`
struct FoodLogCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Log something that you ate.",
    discussion: """
      Give the nutrition of the whole amount, or an ingredient to compute it from. For that the \
      unit must be g, kg, mg, or the unit of one of the ingredient's servings.
      """)

  @Option(parsing: .unconditional, help: "What it was.")
  var name: String

  @Option(parsing: .unconditional, help: "How much, in the unit.")
  var quantity: Double

  @Option(parsing: .unconditional, help: "The unit, such as g or slice.")
  var unit: String

  @OptionGroup var figures: FigureOptions

  @Option(help: ArgumentHelp("The ingredient that it was.", valueName: "id"))
  var ingredient: String?

  @OptionGroup var spoken: SpokenOptions

  @Option(
    help: ArgumentHelp(
      "The recording in which you spoke: its id, or at least four characters of its beginning.",
      valueName: "id"))
  var recording: String?

  @OptionGroup var voice: RecordOptions

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if recording != nil, voice.record != nil {
      throw ValidationError("Give only one of --recording and --record.")
    }
    guard figures.nutrition != nil || (ingredient != nil && !figures.isGiven) else {
      throw ValidationError(
        "Give all of --calories, --protein, --carbohydrates and --fat, or only --ingredient.")
    }
    let nutrition = figures.nutrition ?? Nutrition()
    try validating { try entry(nutrition, now: spoken.time.now).validate() }
  }

  func run() async throws {
    let console = common.console
    let now = spoken.time.now
    let logged =
      if let file = voice.record {
        try await log(spokenIn: file, now)
      } else {
        try log(in: common.openLibrary(for: .writing, .food), now)
      }
    console.warnIfOld(logged.timestamp, now: now)
    try console.show(logged, "logged")
  }

  private func log(in library: Library, _ now: Date) throws -> FoodEntry {
    var entry = try computedEntry(library.food, now)
    entry.recordingID = try recording.map { try library.recording(idPrefix: $0).id }
    try library.food.log(entry, now: now)
    return entry
  }

  /// Imports the recording and logs the entry with it.
  private func log(spokenIn file: String, _ now: Date) async throws -> FoodEntry {
    let command = self
    let (logged, recording) = try await voice.importing { options, engine in
      let food = try command.common.openLibrary(for: .writing, .food, engine: engine).food
      var entry = try command.computedEntry(food, now)
      let recording = try await food.log(entry, spokenIn: file, options: options, now: now)
      entry.recordingID = recording.id
      return (entry, recording)
    }
    common.console.note(recording)
    return logged
  }

  private func computedEntry(_ food: FoodDiary, _ now: Date) throws -> FoodEntry {
    let ingredient = try ingredient.map { try food.ingredient(named: $0) }
    let nutrition = try figures.nutrition ?? ingredient?.nutrition(of: quantity, unit)
    return entry(nutrition ?? Nutrition(), now: now)
  }

  private func entry(_ nutrition: Nutrition, now: Date) -> FoodEntry {
    FoodEntry(
      timestamp: spoken.time.at?.moment ?? now, timestampOffset: spoken.time.at?.offset,
      rawDescription: spoken.said ?? "", foodName: name, quantity: quantity, unit: unit,
      nutrition: nutrition, confidence: spoken.confidence ?? 1, matchedIngredientID: ingredient,
      createdAt: now)
  }
}
