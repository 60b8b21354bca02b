internal import ArgumentParser
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFood
internal import HoldfastModel

/// `holdfast food link`
struct FoodLinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "link", abstract: "Link an entry to the recording in which you spoke it.")

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var recording: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing, .food)
    let recording = try library.recording(idPrefix: recording).id
    let entry = try library.food.edit(id: library.food.entry(idPrefix: id).id) {
      $0.recordingID = recording
    }
    try common.console.show(entry, "linked")
  }
}

/// `holdfast food unlink`
struct FoodUnlinkCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "unlink", abstract: "Remove an entry's link to a recording.")

  @Argument(help: "The entry's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let food = try common.openLibrary(for: .writing, .food).food
    let entry = try food.edit(id: food.entry(idPrefix: id).id) { $0.recordingID = nil }
    try common.console.show(entry, "unlinked")
  }
}
