import ArgumentParser
import Holdfast
import HoldfastConsole

struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete",
    abstract: "Delete recordings, with their files and everything known about them.",
    discussion: """
      Cravings that a recording helped with are kept, without the link. So are entries of journals.
      """)

  @Argument(
    help: "The recordings' ids, or at least four characters of the beginning of each.",
    completion: .recording)
  var ids: [String]

  @Flag(help: "Do not ask.")
  var yes = false

  @Flag(
    help: """
      Delete recordings even if none of the recordings' files is there, because you know that they \
      are lost. Without --lost nothing is deleted then: their disk may not be mounted.
      """)
  var lost = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let recordings = try common.openLibrary(for: .reading).recordings(idPrefixes: ids)
    if !yes { try console.confirmDeleting(recordings, name: \.displayTitle) }
    let library = try common.openLibrary(for: .writing)
    try console.deleting(recordings, from: library, name: \.displayTitle) {
      try library.deleteRecording(id: $0.id, isLost: lost).map(\.string)
    }
  }
}
