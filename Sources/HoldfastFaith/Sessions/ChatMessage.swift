public import Foundation
public import Holdfast

/// A message of a participant in a session.
public struct ChatMessage: JournalRecord {
  /// The message's identity.
  public let id: UUID
  /// The session.
  public let sessionID: UUID
  /// Who wrote it: a participant of the session.
  public let userID: String
  /// Their name.
  public var userName: String
  /// The text.
  public var message: String
  /// When they wrote it, to the millisecond.
  public var timestamp: Date
  /// The time zone in which it was noted, in minutes east of Greenwich at that moment.
  public var timestampOffset: Int
  /// When it was noted.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case sessionID = "sessionId"
    case userID = "userId"
    case userName, message, timestamp, timestampOffset, createdAt, modifiedAt
  }

  /// Makes a message. The default time zone is this machine's.
  public init(
    sessionID: UUID, userID: String, userName: String, message: String, timestamp: Date,
    timestampOffset: Int? = nil, createdAt: Date
  ) {
    id = UUID()
    self.sessionID = sessionID
    self.userID = userID.userID
    self.userName = userName
    self.message = message
    self.timestamp = timestamp.roundedToMillisecond
    self.timestampOffset = timestampOffset ?? timestamp.localOffset
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try userID.validateUser("the user's id")
    try userName.validateName("the user's name", limit: FaithLimit.user)
    try message.validateName("the message", limit: FaithLimit.message)
    try Entry.validate(offset: timestampOffset)
  }

  /// How the registry treats messages.
  public static let declaration = RecordDeclaration<ChatMessage>(
    RecordKind("chatMessages", singular: "chat message", plural: "chat messages"),
    table: "chatMessage", moment: RecordMoment(\.timestamp, \.timestampOffset),
    references: [
      RecordReference(
        needed: { $0.sessionID.uuidString }, column: "sessionId", to: LiveSession.self)
    ],
    csv: .withDates([
      .init("sessionId", \.sessionID), .init("userId", \.userID), .init("userName", \.userName),
      .init("message", \.message), .init("timestamp", \.timestamp),
      .init("timestampOffset", \.timestampOffset),
    ]))
}
