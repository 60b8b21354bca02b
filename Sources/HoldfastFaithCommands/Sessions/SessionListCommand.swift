import ArgumentParser
import Foundation
package import Holdfast
package import HoldfastConsole
package import HoldfastFaith

struct SessionList: RecordFilter {
  static let verb = RecordVerb.list("List sessions, by their start, newest first.")

  @Option(help: ArgumentHelp("Only those of this recording.", valueName: "id"))
  var recording: String?

  func records(in library: Library, limit: Int, offset: Int) throws -> [LiveSession] {
    try library.faith.sessions(
      recording: library.recordingID(recording), limit: limit, offset: offset)
  }
}

extension LiveSession: FaithRecord {
  package static var showAbstract: String {
    "Show a session with its people, messages and invitations."
  }

  package var line: String { title }

  private var state: String {
    let now = Date()
    if isActive(at: now) { return "active" }
    return isOver(at: now) ? "over" : "to come"
  }

  /// How many take part, of the most that may.
  private func people(in library: Library) throws -> String {
    "\(try library.faith.currentParticipants(of: id)) of \(maxParticipants)"
  }

  /// The start, in its own time zone.
  private var begin: String { startTime.localText(offset: startTimeOffset) }

  package static var columns: [RecordColumn<Self>] {
    [
      .init("WHEN", \.begin), .init("STATE", givesWay: true, \.state),
      .init(.init(heading: "PEOPLE", alignment: .right)) { try $0.people(in: $1) },
      .init("TITLE", \.title),
    ]
  }

  package func listOutput(in library: Library) throws -> any Encodable {
    ExtendedOutput(self, try SessionContents(of: self, in: library.faith, isWhole: false))
  }

  package func fullOutput(in library: Library) throws -> any Encodable {
    ExtendedOutput(self, try SessionContents(of: self, in: library.faith, isWhole: true))
  }

  package var facts: [(name: String, value: String?)] {
    [
      ("when", begin),
      ("until", endTime?.localText(offset: startTimeOffset)), ("state", state),
      ("title", title), ("details", details.nonBlank), ("host", hostID),
      ("category", category.nonBlank), ("tags", tags.joined(separator: ", ").nonBlank),
      ("private", isPrivate.yes), ("recording", recordingID?.uuidString),
    ]
  }

  package func details(in library: Library) throws -> [Detail] {
    let faith = library.faith
    func named(_ name: String, _ values: [String]) -> [Detail] {
      values.enumerated().map { ($0 == 0 ? name : "", $1) }
    }
    return try standardDetails
      + named(
        "people",
        [people(in: library)] + faith.participants(of: id).map { "\($0.id.short)  \($0.line)" })
      + named(
        "messages", faith.messages(of: id).map { "\($0.id.short)  \($0.localText)  \($0.line)" })
      + named("invited", faith.invitations(to: id).map { "\($0.id.short)  \($0.line)" })
  }
}

private struct SessionContents: Encodable {
  var currentParticipants: Int
  var isActive: Bool
  var participants: [LiveSessionParticipant]?
  var messages: [ChatMessage]?
  var invitations: [SessionInvitation]?

  /// - Parameter isWhole: Whether to list people, messages and invitations.
  init(of session: LiveSession, in faith: FaithJournal, isWhole: Bool) throws {
    currentParticipants = try faith.currentParticipants(of: session.id)
    isActive = session.isActive(at: Date())
    guard isWhole else { return }
    participants = try faith.participants(of: session.id)
    messages = try faith.messages(of: session.id)
    invitations = try faith.invitations(to: session.id)
  }
}

extension LiveSessionParticipant: FaithRecord {
  package var line: String { "\(role.rawValue)  \(userID)" }
}

extension ChatMessage: FaithRecord {
  package var line: String { "\(userName): \(message)" }
}

extension SessionInvitation: FaithRecord {
  package var line: String { "\(status.rawValue)  \(inviteeID), by \(inviterID)" }
}
