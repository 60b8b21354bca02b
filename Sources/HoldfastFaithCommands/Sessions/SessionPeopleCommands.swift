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

  @OptionGroup var record: RecordArgument<LiveSession>

  @Argument(help: "Who joins: any name or id, at most 100 characters.")
  var user: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "joined") { try $0.faith.join($1.id, user: user) }
  }
}

/// `holdfast faith session end`
struct SessionEndCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "end", abstract: "End a session.")

  @OptionGroup var record: RecordArgument<LiveSession>
  @OptionGroup var time: TimeOption
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "ended") {
      try $0.faith.end($1.id, at: time.at?.moment, now: time.now)
    }
  }
}

/// `holdfast faith session say`
struct SessionSayCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "say", abstract: "Keep what a participant wrote in a session.")

  @OptionGroup var record: RecordArgument<LiveSession>

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
    try common.update(record, "kept") { library, session in
      let message = ChatMessage(
        sessionID: session.id, userID: user, userName: name ?? user, message: message,
        timestamp: time.at?.moment ?? time.now, timestampOffset: time.at?.offset,
        createdAt: time.now)
      try library.faith.say(message, now: time.now)
      if message.timestamp < session.startTime || session.isOver(at: message.timestamp) {
        let moment = message.timestamp.localText(offset: message.timestampOffset)
        common.console.note("note: \(moment) is not within the session")
      }
      common.console.warnIfOld(message.timestamp, now: time.now)
      return message
    }
  }
}

/// `holdfast faith session invite`
struct SessionInviteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "invite", abstract: "Note that somebody is invited to a session.")

  @OptionGroup var record: RecordArgument<LiveSession>

  @Argument(help: "Who is invited: any name or id, at most 100 characters.")
  var user: String

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Who invites (default: the host).", valueName: "user"))
  var by: String?

  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "invited") { library, session in
      let invitation = SessionInvitation(
        sessionID: session.id, inviterID: by ?? session.hostID, inviteeID: user,
        createdAt: Date())
      try library.faith.invite(invitation)
      return invitation
    }
  }
}

/// `holdfast faith session accept`
struct SessionAcceptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "accept",
    abstract: "Accept an invitation; whoever was invited is then in the session.")

  @OptionGroup var record: RecordArgument<SessionInvitation>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "accepted") { try $0.faith.accept($1.id) }
  }
}

/// `holdfast faith session decline`
struct SessionDeclineCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "decline", abstract: "Decline an invitation.")

  @OptionGroup var record: RecordArgument<SessionInvitation>
  @OptionGroup var common: CommonOptions

  func run() throws {
    try common.update(record, "declined") { try $0.faith.decline($1.id) }
  }
}

/// `holdfast faith session remove`
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
    } catch let error as LibraryError where error.code == .noSuchRecord {}
    do {
      return try common.delete([ChatMessage.named(id, in: known)], asking: !yes)
    } catch let error as LibraryError where error.code == .noSuchRecord {}
    try common.delete([SessionInvitation.named(id, in: known)], asking: !yes)
  }
}
