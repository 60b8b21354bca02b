internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith session join`
struct SessionJoinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "join", abstract: "Add somebody to a session, if there is room.")

  @OptionGroup var record: RecordArgument

  @Argument(help: "Who joins: any name or id, at most 100 characters.")
  var user: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let session = try faith.record(LiveSession.self, idPrefix: record.id)
    try common.console.show(faith.join(session.id, user: user), "joined")
  }
}

/// `holdfast faith session end`
struct SessionEndCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End a session.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let session = try faith.record(LiveSession.self, idPrefix: record.id)
    try common.console.show(
      faith.end(session.id, at: time.at?.moment, now: time.now), "ended")
  }
}

/// `holdfast faith session say`
struct SessionSayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Keep what a participant wrote in a session.")

  @OptionGroup var record: RecordArgument

  @Argument(help: "The message, at most 2000 characters.")
  var message: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Who wrote it: a participant.", valueName: "user"))
  var user: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Their name (default: the same).", valueName: "name"))
  var name: String?

  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let session = try faith.record(LiveSession.self, idPrefix: record.id)
    let message = ChatMessage(
      sessionID: session.id, userID: user, userName: name ?? user, message: message,
      timestamp: time.at?.moment ?? time.now, timestampOffset: time.at?.offset,
      createdAt: time.now)
    try faith.say(message, now: time.now)
    if message.timestamp < session.startTime || session.isOver(at: message.timestamp) {
      console.note(
        "note: \(message.timestamp.localText(offset: message.timestampOffset)) is not within the "
          + "session")
    }
    console.warnIfOld(message.timestamp, now: time.now)
    try console.show(message, "kept")
  }
}

/// `holdfast faith session invite`
struct SessionInviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Note that somebody is invited to a session.")

  @OptionGroup var record: RecordArgument

  @Argument(help: "Who is invited: any name or id, at most 100 characters.")
  var user: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Who invites (default: the host).", valueName: "user"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let session = try faith.record(LiveSession.self, idPrefix: record.id)
    let invitation = SessionInvitation(
      sessionID: session.id, inviterID: by ?? session.hostID, inviteeID: user,
      createdAt: Date())
    try faith.invite(invitation)
    try common.console.show(invitation, "invited")
  }
}

/// `holdfast faith session accept`
struct SessionAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept an invitation; whoever was invited is then in the session.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let invitation = try faith.record(SessionInvitation.self, idPrefix: record.id)
    try common.console.show(faith.accept(invitation.id), "accepted")
  }
}

/// `holdfast faith session decline`
struct SessionDeclineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decline", abstract: "Decline an invitation.")

  @OptionGroup var record: RecordArgument
  @OptionGroup var common: CommonOptions

  func run() throws {
    let faith = try common.openLibrary(for: .writing, .faith).faith
    let invitation = try faith.record(SessionInvitation.self, idPrefix: record.id)
    try common.console.show(faith.decline(invitation.id), "declined")
  }
}
