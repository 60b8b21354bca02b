internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood

/// `holdfast food attach`
struct FoodAttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "attach", abstract: "Put an entry back into the sums of its day.")

  @OptionGroup var record: RecordArgument<FoodEntry>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "attached") { try $0.food.attach(id: $1.id) }
  }
}

/// `holdfast food detach`
struct FoodDetachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "detach",
    abstract: "Take an entry out of the sums of its day; the entry is kept.")

  @OptionGroup var record: RecordArgument<FoodEntry>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "detached") { try $0.food.attach(id: $1.id, false) }
  }
}
