internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith session remove`
struct SessionRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a participant, a message or an invitation from its session.",
    discussion: "holdfast faith session show lists them with their ids. The host stays.")

  @OptionGroup var record: RecordArgument

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, .faith).faith
    do {
      let participant = try known.record(LiveSessionParticipant.self, idPrefix: record.id)
      guard participant.role != .host else {
        throw RuleError("a session keeps its host; delete the session instead")
      }
      return try remove(participant)
    } catch let error as LibraryError where error.code == .noSuchRecord {}
    do {
      return try remove(known.record(ChatMessage.self, idPrefix: record.id))
    } catch let error as LibraryError where error.code == .noSuchRecord {}
    try remove(known.record(SessionInvitation.self, idPrefix: record.id))
  }

  private func remove<Record: ShownRecord>(_ record: Record) throws {
    if !yes { try common.console.confirmDeleting([record], name: \.line) }
    let library = try common.openLibrary(for: .writing, .faith)
    try common.console.deleting([record], from: library, name: \.line) {
      try library.faith.delete(Record.self, id: $0.id)
      return []
    }
  }
}
