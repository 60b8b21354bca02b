internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// A session as the commands print it.
struct SessionOutput: Encodable {
  var session: LiveSession
  var currentParticipants: Int
  var isActive: Bool
  var participants: [LiveSessionParticipant]?
  var messages: [ChatMessage]?
  var invitations: [SessionInvitation]?

  private enum CodingKeys: String, CodingKey {
    case currentParticipants, isActive, participants, messages, invitations
  }

  /// Reads what belongs to a session.
  init(_ session: LiveSession, in faith: FaithJournal) throws {
    self.session = session
    currentParticipants = try faith.currentParticipants(of: session.id)
    isActive = session.isActive(at: Date())
  }

  func encode(to encoder: any Encoder) throws {
    try session.encode(to: encoder)
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(currentParticipants, forKey: .currentParticipants)
    try container.encode(isActive, forKey: .isActive)
    try container.encodeIfPresent(participants, forKey: .participants)
    try container.encodeIfPresent(messages, forKey: .messages)
    try container.encodeIfPresent(invitations, forKey: .invitations)
  }
}

/// `holdfast faith session list`
struct SessionListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List sessions, by their start, newest first.")

  @Option(help: ArgumentHelp("Only those of this recording.", valueName: "id"))
  var recording: String?

  @OptionGroup var page: PageOptions
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .reading, .faith)
    let faith = library.faith
    let recording = try recording.map { try library.recording(idPrefix: $0).id }
    try common.console.page(page, noun: { $0.noun("session") }) { limit in
      try faith.sessions(recording: recording, limit: limit, offset: page.offset)
        .map { try SessionOutput($0, in: faith) }
    } json: {
      $0
    } table: { sessions in
      var table = TextTable([
        .init(heading: "ID"), .init(heading: "WHEN"), .init(heading: "STATE", givesWay: true),
        .init(heading: "PEOPLE", alignment: .right), .init(heading: "TITLE"),
      ])
      for output in sessions {
        let session = output.session
        table.add([
          session.id.short, session.startTime.localText(offset: session.startTimeOffset),
          session.state, "\(output.currentParticipants) of \(session.maxParticipants)",
          session.title,
        ])
      }
      return table
    }
  }
}

/// `holdfast faith session show`
struct SessionShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a session with its people, messages and invitations.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .reading, .faith).faith
    let session = try faith.record(LiveSession.self, idPrefix: record.id)
    var output = try SessionOutput(session, in: faith)
    let participants = try faith.participants(of: session.id)
    let messages = try faith.messages(of: session.id)
    let invitations = try faith.invitations(to: session.id)
    if console.isJSON {
      (output.participants, output.messages, output.invitations) =
        (participants, messages, invitations)
      return try console.json(output)
    }
    console.details(
      session.allDetails + [
        ("people", "\(output.currentParticipants) of \(session.maxParticipants)")
      ])
    console.details(participants.map { ("", "\($0.id.short)  \($0.line)") })
    console.details(named("messages", messages.map { "\($0.id.short)  \($0.dated)" }))
    console.details(named("invited", invitations.map { "\($0.id.short)  \($0.line)" }))
  }

  private func named(_ name: String, _ values: [String]) -> [(name: String, value: String)] {
    values.enumerated().map { ($0 == 0 ? name : "", $1) }
  }
}

extension LiveSession: ShownRecord {
  var line: String { title }

  /// What it is now.
  var state: String {
    let now = Date()
    if isActive(at: now) { return "active" }
    return isOver(at: now) ? "over" : "to come"
  }

  static let heading = "TITLE"
  static let columns: [TextTable.Column] = [.init(heading: "WHEN")]
  var cells: [String] { [startTime.localText(offset: startTimeOffset)] }

  var facts: [(name: String, value: String?)] {
    [
      ("when", startTime.localText(offset: startTimeOffset)),
      ("until", endTime?.localText(offset: startTimeOffset)), ("state", state),
      ("title", title), ("details", details.nonBlank), ("host", hostID),
      ("category", category.nonBlank), ("tags", tags.joined(separator: ", ").nonBlank),
      ("private", isPrivate.yes), ("recording", recordingID?.uuidString),
    ]
  }
}

extension LiveSessionParticipant: ShownRecord {
  var line: String { "\(role.rawValue)  \(userID)" }
  static let heading = "USER"
  static let columns: [TextTable.Column] = []
  var cells: [String] { [] }
  var facts: [(name: String, value: String?)] { [("user", userID), ("role", role.rawValue)] }
}

extension ChatMessage: ShownRecord {
  var line: String { "\(userName): \(message)" }

  /// The message with its moment.
  var dated: String { "\(timestamp.localText(offset: timestampOffset))  \(line)" }

  static let heading = "MESSAGE"
  static let columns: [TextTable.Column] = []
  var cells: [String] { [] }
  var facts: [(name: String, value: String?)] { [("from", userName), ("message", message)] }
}

extension SessionInvitation: ShownRecord {
  var line: String { "\(status.rawValue)  \(inviteeID), by \(inviterID)" }
  static let heading = "INVITATION"
  static let columns: [TextTable.Column] = []
  var cells: [String] { [] }
  var facts: [(name: String, value: String?)] { [("invitee", inviteeID), ("by", inviterID)] }
}
