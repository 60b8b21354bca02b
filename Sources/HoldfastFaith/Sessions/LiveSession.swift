public import Foundation
public import Holdfast

/// A meeting, as a record: nothing goes live, and nothing is sent anywhere.
public struct LiveSession: JournalRecord {
  /// The session's identity.
  public let id: UUID
  /// The title.
  public var title: String
  /// The description. It may be empty.
  public var details: String
  /// The host, who is a participant from the beginning.
  public let hostID: String
  /// When it begins, to the millisecond.
  public var startTime: Date
  /// The time zone in which it was added, in minutes east of Greenwich at its start.
  public var startTimeOffset: Int
  /// When it ended or ends.
  public var endTime: Date?
  /// How many may take part, including the host.
  public var maxParticipants: Int
  /// A category, in the person's own words. It may be empty.
  public var category: String
  /// Any words, each once in any case, in the given order.
  public var tags: [String] {
    didSet { tags = Tags.tidied(tags) }
  }
  /// Whether it is private. Nothing depends on this flag.
  public var isPrivate: Bool
  /// A recording of it.
  public var recordingID: RecordingID?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, title, details
    case hostID = "hostId"
    case startTime, startTimeOffset, endTime, maxParticipants, category, tags, isPrivate
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes a session. The default time zone is this machine's.
  public init(
    title: String, details: String = "", hostID: String, startTime: Date,
    startTimeOffset: Int? = nil, endTime: Date? = nil, maxParticipants: Int = 10,
    category: String = "", tags: [String] = [], isPrivate: Bool = false,
    recordingID: RecordingID? = nil, createdAt: Date
  ) {
    id = UUID()
    self.title = title
    self.details = details
    self.hostID = hostID.userID
    self.startTime = startTime.roundedToMillisecond
    self.startTimeOffset = startTimeOffset ?? startTime.localOffset
    self.endTime = endTime?.roundedToMillisecond
    self.maxParticipants = maxParticipants
    self.category = category
    self.tags = Tags.tidied(tags)
    self.isPrivate = isPrivate
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Returns whether it has begun and is not over.
  public func isActive(at now: Date) -> Bool { startTime <= now && !isOver(at: now) }

  /// Returns whether it is over.
  public func isOver(at now: Date) -> Bool { endTime.map { $0 <= now } ?? false }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try title.validateName("the title", limit: FaithLimit.title)
    try details.validate("the details have", limit: FaithLimit.details)
    try hostID.validateUser("the host's id")
    try Entry.validate(offset: startTimeOffset)
    if let endTime, endTime < startTime {
      throw RuleError(
        "the session ends at \(endTime.localText(offset: startTimeOffset)), before its start at "
          + startTime.localText(offset: startTimeOffset))
    }
    guard (1...FaithLimit.participants).contains(maxParticipants) else {
      throw RuleError(
        "room for \(maxParticipants): a session has room for 1 to \(FaithLimit.participants)")
    }
    try category.validate("the category has", limit: FaithLimit.category)
    try Tags.validate(tags)
  }

  /// How the registry treats sessions.
  public static let declaration = RecordDeclaration<LiveSession>(
    RecordKind("sessions", singular: "session"), table: "session",
    children: [.tags("sessionTag", of: "session")],
    link: RecordingLink(\.recordingID, newest: "startTime", role: "spoken for") {
      "\($0.startTime.localText(offset: $0.startTimeOffset))  \($0.title)"
    },
    csv: .withDates([
      .init("title", \.title), .init("details", \.details), .init("hostId", \.hostID),
      .init("startTime", \.startTime), .init("startTimeOffset", \.startTimeOffset),
      .init("endTime", \.endTime), .init("maxParticipants", \.maxParticipants),
      .init("category", \.category), .init("tags", \.tags), .init("isPrivate", \.isPrivate),
      .init("recordingId", \.recordingID),
    ]))
}

extension String {
  /// The text as a user's identity: without white space at its ends, and composed, because SQLite
  /// tells a composed text from a decomposed one.
  var userID: String { trimmed.precomposedStringWithCanonicalMapping }

  /// Refuses a text that is not a user's identity.
  func validateUser(_ noun: String) throws(RuleError) {
    try validateName(noun, limit: FaithLimit.user)
    guard utf8.elementsEqual(userID.utf8) else {
      throw RuleError(
        "\(noun) \"\(escapedForDisplay)\" has white space at an end, or decomposed characters")
    }
  }
}
