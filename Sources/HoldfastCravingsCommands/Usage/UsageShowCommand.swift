internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastCravings
internal import HoldfastModel

/// `holdfast usage show`
struct UsageShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about a usage.")

  @Argument(help: "The usage's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let usage = try common.openLibrary(for: .reading).record(Usage.self, idPrefix: id)
    if console.isJSON { return try console.json(usage) }
    console.details(
      [
        ("id", usage.id.uuidString), ("when", usage.localText),
        ("method", usage.method.rawValue), ("amount", usage.method.text(usage.amount)),
      ] + usage.contextDetails)
  }
}
