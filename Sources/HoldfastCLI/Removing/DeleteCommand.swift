import ArgumentParser
import Foundation
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
      are lost. Without --lost nothing is deleted then: their disk may not be mounted. The id of a \
      photo whose file is lost deletes the photo from its entry.
      """)
  var lost = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let known = try common.openLibrary(for: .reading)
    let all = try ids.map { prefix in
      if lost, let photo = try known.lostPhoto(idPrefix: prefix) {
        return Deleted(id: photo, name: "a photo", isPhoto: true)
      }
      let recording = try known.recording(idPrefix: prefix)
      return Deleted(id: recording.id, name: recording.displayTitle, isPhoto: false)
    }
    if !yes { try console.confirmDeleting(all, name: \.name) }
    let library = try common.openLibrary(for: .writing)
    try console.deleting(all, from: library, name: \.name) { item in
      guard item.isPhoto else {
        return try library.deleteRecording(id: item.id, isLost: lost).map(\.string)
      }
      try library.deleteLostPhoto(id: item.id)
      return []
    }
  }

  private struct Deleted: Identifiable {
    var id: UUID
    var name: String
    var isPhoto: Bool
  }
}
