internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastFaith
internal import HoldfastModel

/// `holdfast faith session`
struct SessionCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "session", abstract: "Keep records of meetings.",
    discussion: "Nothing goes live, and nothing is sent: these are records.",
    subcommands: [
      SessionAddCommand.self, SessionListCommand.self, RecordShowCommand<LiveSession>.self,
      SessionJoinCommand.self, SessionEndCommand.self, SessionSayCommand.self,
      SessionInviteCommand.self, SessionAcceptCommand.self, SessionDeclineCommand.self,
      SessionRemoveCommand.self, SessionEditCommand.self, RecordLinkCommand<LiveSession>.self,
      RecordUnlinkCommand<LiveSession>.self, RecordDeleteCommand<LiveSession>.self,
    ])
}

/// The options that describe a session besides its title and its times.
struct SessionOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What it is about, at most 20000 characters.", valueName: "text"))
  var details: String?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "How many may take part, with the host (default: 10).", valueName: "count"))
  var room: Int?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("A category, in your own words.", valueName: "category"))
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

/// `holdfast faith session add`
struct SessionAddCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "add", abstract: "Add a session, with its host.")

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String

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

  @OptionGroup var voice: VoiceOptions<LiveSession>
  @OptionGroup var common: CommonOptions

  func validate() throws { try validating { try session(now: Date()).validate() } }

  func run() async throws {
    let now = Date()
    try await voice.add(
      common, now: now, writing: { db, session in try db.add(session, hostJoining: now) }
    ) { _ in session(now: now) }
  }

  private func session(now: Date) -> LiveSession {
    var session = LiveSession(
      title: title, hostID: host, startTime: start?.moment ?? now,
      startTimeOffset: start?.offset, endTime: end?.moment, isPrivate: isPrivate, createdAt: now)
    options.changes.apply(to: &session)
    return session
  }
}

/// `holdfast faith session edit`
struct SessionEditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a session; only what you name changes.")

  @OptionGroup var record: RecordArgument<LiveSession>

  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String?

  @Option(
    help: ArgumentHelp("When it begins.", valueName: "time"),
    transform: { try SessionMoment($0) })
  var start: SessionMoment?

  @Option(
    help: ArgumentHelp("When it ends.", valueName: "time"), transform: { try SessionMoment($0) })
  var end: SessionMoment?

  @OptionGroup var options: SessionOptions
  @OptionGroup var common: CommonOptions

  private var changes: [Change<LiveSession>?] {
    [
      .set(\.title, title), .set(\.startTime, start?.moment.roundedToMillisecond),
      .set(\.startTimeOffset, start?.offset), .set(\.endTime, end?.moment.roundedToMillisecond),
    ] + options.changes
  }

  func validate() throws {
    try requireChange(changes, "--title, --start, --end, --details, --room, --category or --tag")
  }

  func run() throws { try common.edit(record) { changes.apply(to: &$0) } }
}
