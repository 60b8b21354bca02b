internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food attach`
struct FoodAttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach", abstract: "Put an entry back into the sums of its day.")

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let food = try common.openLibrary(for: .writing, .food).food
    try common.console.show(food.attach(id: food.entry(idPrefix: id).id), "attached")
  }
}

/// `holdfast food detach`
struct FoodDetachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Take an entry out of the sums of its day; the entry is kept.")

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let food = try common.openLibrary(for: .writing, .food).food
    try common.console.show(food.attach(id: food.entry(idPrefix: id).id, false), "detached")
  }
}
