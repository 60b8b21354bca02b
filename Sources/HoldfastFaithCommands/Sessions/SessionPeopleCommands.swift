import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFaith

struct JoinSession: RecordAction {
  static let verb = RecordVerb(
    "join", done: "joined", abstract: "Add a person to a session, if there is room.")

  @Argument(help: "Who joins: any name or id, at most 100 characters.")
  var user: String

  func apply(to session: LiveSession, in library: Library) throws -> LiveSessionParticipant {
    try library.faith.join(session.id, user: user)
  }
}

struct EndSession: RecordAction {
  static let verb = RecordVerb("end", done: "ended", abstract: "End a session.")

  @OptionGroup var time: TimeOption

  func apply(to session: LiveSession, in library: Library) throws -> LiveSession {
    try library.faith.end(session.id, at: time.at?.moment, now: time.now)
  }
}

struct SayInSession: RecordAction {
  static let verb = RecordVerb(
    "say", done: "kept", abstract: "Keep what a participant wrote in a session.")

  @Argument(help: "The message, at most 2000 characters.")
  var message: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Who wrote it: a participant.", valueName: "user"))
  var user: String

  @Option(unconditional: "Their name (default: the same).", valueName: "name")
  var name: String?

  @OptionGroup var time: TimeOption

  func apply(to session: LiveSession, in library: Library) throws -> ChatMessage {
    let now = time.now
    let message = ChatMessage(
      sessionID: session.id, userID: user, userName: name ?? user, message: message,
      timestamp: time.at?.moment ?? now, timestampOffset: time.at?.offset, createdAt: now)
    try library.faith.say(message, now: now)
    return message
  }

  func note(_ message: ChatMessage, of session: LiveSession, on console: Console) {
    if message.timestamp < session.startTime || session.isOver(at: message.timestamp) {
      console.note("note: \(message.localText) is not within the session")
    }
    console.warnIfOld(message, now: time.now)
  }
}

struct InviteToSession: RecordAction {
  static let verb = RecordVerb(
    "invite", done: "invited", abstract: "Note that a person is invited to a session.")

  @Argument(help: "Who is invited: any name or id, at most 100 characters.")
  var user: String

  @Option(unconditional: "Who invites (default: the host).", valueName: "user")
  var by: String?

  func apply(to session: LiveSession, in library: Library) throws -> SessionInvitation {
    let invitation = SessionInvitation(
      sessionID: session.id, inviterID: by ?? session.hostID, inviteeID: user, createdAt: Date())
    try library.faith.invite(invitation)
    return invitation
  }
}

struct AcceptInvitation: RecordAction {
  static let verb = RecordVerb(
    "accept", done: "accepted",
    abstract: "Accept an invitation; the invited person is then in the session.")

  func apply(to invitation: SessionInvitation, in library: Library) throws -> SessionInvitation {
    try library.faith.accept(invitation.id)
  }
}

struct DeclineInvitation: RecordAction {
  static let verb = RecordVerb("decline", done: "declined", abstract: "Decline an invitation.")

  func apply(to invitation: SessionInvitation, in library: Library) throws -> SessionInvitation {
    try library.faith.decline(invitation.id)
  }
}

struct SessionRemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove",
    abstract: "Remove a participant, a message or an invitation from its session.",
    discussion: "holdfast faith session show lists them with their ids. The host stays.")

  @Argument(help: "Its id, or at least four characters of its beginning.")
  var id: String

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let known = try common.openLibrary(for: .reading, LiveSession.self)
    do {
      let participant = try LiveSessionParticipant.named(id, in: known)
      guard participant.role != .host else {
        throw RuleError("a session keeps its host; delete the session instead")
      }
      return try common.delete([participant], asking: !yes)
    } catch let error as HoldfastError where error.code == .noSuchRecord {}
    do {
      return try common.delete([ChatMessage.named(id, in: known)], asking: !yes)
    } catch let error as HoldfastError where error.code == .noSuchRecord {}
    try common.delete([SessionInvitation.named(id, in: known)], asking: !yes)
  }
}
