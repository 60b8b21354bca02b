internal import ArgumentParser
internal import Holdfast
internal import HoldfastModel

/// `holdfast delete`
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete recordings: file, thumbnail and all that is known.",
    discussion: "Cravings that a recording helped with stay, without their link.")

  @Argument(help: "The recordings' ids, or at least four characters of the beginning of each.")
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(
    help:
      "Delete what is known of recordings although no file of the library is there: they are lost, and not on a disk that is."
  )
  var lost = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let recordings = try common.openLibrary(for: .reading).recordings(named: ids)
    if !yes { try console.confirmDeleting(recordings, name: \.displayTitle) }
    let library = try common.openLibraryToWrite()
    try console.deleting(recordings, from: library, name: \.displayTitle) {
      try library.deleteRecording(id: $0.id, isLost: lost).map(\.string)
    }
  }
}
