import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFaith

struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Keep records of meetings.",
    discussion: "Nothing goes live, and nothing is sent: these are records.",
    subcommands: [
      RecordLogCommand<NewSession>.self, RecordListCommand<SessionList>.self,
      RecordShowCommand<LiveSession>.self, RecordActionCommand<JoinSession>.self,
      RecordActionCommand<EndSession>.self, RecordActionCommand<SayInSession>.self,
      RecordActionCommand<InviteToSession>.self, RecordActionCommand<AcceptInvitation>.self,
      RecordActionCommand<DeclineInvitation>.self, SessionRemoveCommand.self,
      RecordEditCommand<SessionEdit>.self, RecordLinkCommand<LiveSession>.self,
      RecordUnlinkCommand<LiveSession>.self, RecordDeleteCommand<LiveSession>.self,
    ])
}

/// The options that describe a session besides its title and its times.
struct SessionOptions: ParsableArguments {
  @Option(unconditional: "What it is about, at most 20000 characters.", valueName: "text")
  var details: String?

  @Option(unconditional: "How many may take part, with the host (default: 10).", valueName: "count")
  var room: Int?

  @Option(parsing: .unconditional, help: "A category, in your own words.")
  var category: String?

  @OptionGroup var tags: TagOption

  var changes: [Change<LiveSession>?] {
    [
      .set(\.details, details), .set(\.maxParticipants, room), .set(\.category, category),
      .list(\.tags, tags.tags),
    ]
  }
}

/// A moment of a session, which may be in the future.
struct SessionMoment {
  var moment: Date
  var offset: Int

  init(_ text: String) throws(RuleError) {
    (moment, offset) = try Entry.moment(text, now: Date())
  }
}

struct NewSession: NewRecord {
  static let verb = RecordVerb.add("Add a session, with its host.")

  @OptionGroup var title: NewTitleOption

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("Who holds it: any name or id.", valueName: "user"))
  var host: String

  @Option(
    help: ArgumentHelp(
      "When it begins, such as \"2025-10-25 19:00\"; it may be in the future (default: now).",
      valueName: "time"),
    transform: { try SessionMoment($0) })
  var start: SessionMoment?

  @Option(
    help: ArgumentHelp("When it ends.", valueName: "time"), transform: { try SessionMoment($0) })
  var end: SessionMoment?

  @OptionGroup var options: SessionOptions

  @Flag(name: .customLong("private"), help: "Note that it is private. The flag is only kept.")
  var isPrivate = false

  var changes: [Change<LiveSession>?] { options.changes }

  func record(now: Date) -> LiveSession {
    LiveSession(
      title: title.title, hostID: host, startTime: start?.moment ?? now,
      startTimeOffset: start?.offset, endTime: end?.moment, isPrivate: isPrivate, createdAt: now)
  }

  static func write(_ session: LiveSession, to db: any RecordDatabase, now: Date) throws {
    try db.add(session, hostJoining: now)
  }
}

struct SessionEdit: RecordEdit {
  static let verb = RecordVerb.edit("Change a session; only what you name changes.")
  static let options = "--title, --start, --end, --details, --room, --category or --tag"

  @OptionGroup var title: TitleOption

  @Option(
    help: ArgumentHelp("When it begins.", valueName: "time"),
    transform: { try SessionMoment($0) })
  var start: SessionMoment?

  @Option(
    help: ArgumentHelp("When it ends.", valueName: "time"), transform: { try SessionMoment($0) })
  var end: SessionMoment?

  @OptionGroup var options: SessionOptions

  var changes: [Change<LiveSession>?] {
    [
      .set(\.title, title.title), .set(\.startTime, start?.moment.roundedToMillisecond),
      .set(\.startTimeOffset, start?.offset), .set(\.endTime, end?.moment.roundedToMillisecond),
    ] + options.changes
  }
}
