public import Foundation
public import Holdfast

/// A person who took part in a session.
public struct LiveSessionParticipant: JournalRecord {
  /// The identity of this row.
  public let id: UUID
  /// The session.
  public let sessionID: UUID
  /// Who it was.
  public let userID: String
  /// When they joined.
  public let joinedAt: Date
  /// Their role.
  public let role: ParticipantRole
  /// When it was noted.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case sessionID = "sessionId"
    case userID = "userId"
    case joinedAt, role, createdAt, modifiedAt
  }

  /// Makes a participant.
  public init(
    sessionID: UUID, userID: String, joinedAt: Date, role: ParticipantRole = .participant
  ) {
    id = UUID()
    self.sessionID = sessionID
    self.userID = userID.userID
    self.joinedAt = joinedAt.roundedToMillisecond
    self.role = role
    createdAt = self.joinedAt
  }

  /// When they joined.
  public var happenedAt: Date? { joinedAt }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) { try userID.validateUser("the user's id") }

  /// How the registry treats participants.
  public static let declaration = RecordDeclaration<LiveSessionParticipant>(
    RecordKind("sessionParticipants", singular: "participant", plural: "participants"),
    table: "sessionParticipant",
    references: [
      RecordReference(
        needed: { $0.sessionID.uuidString }, column: "sessionId", to: LiveSession.self)
    ],
    csv: .withDates([
      .init("sessionId", \.sessionID), .init("userId", \.userID), .init("joinedAt", \.joinedAt),
      .init("role", \.role),
    ]))
}

/// The role of a participant in a session.
public enum ParticipantRole: String, Vocabulary {
  /// The host. Each session has one.
  case host = "Host"
  /// Any other participant.
  case participant = "Participant"

  /// The name for one of the words: "role".
  public static var noun: String { "role" }
}
