public import Foundation
public import Holdfast

/// An invitation to a session, which is accepted or declined once.
public struct SessionInvitation: JournalRecord {
  /// The invitation's identity.
  public let id: UUID
  /// The session.
  public let sessionID: UUID
  /// Who invited.
  public let inviterID: String
  /// Who was invited.
  public let inviteeID: String
  /// Its status.
  public internal(set) var status: InvitationStatus = .pending
  /// When it was made.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id
    case sessionID = "sessionId"
    case inviterID = "inviterId"
    case inviteeID = "inviteeId"
    case status, createdAt, modifiedAt
  }

  /// Makes an invitation that is not answered.
  public init(sessionID: UUID, inviterID: String, inviteeID: String, createdAt: Date) {
    id = UUID()
    self.sessionID = sessionID
    self.inviterID = inviterID.userID
    self.inviteeID = inviteeID.userID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try inviterID.validateUser("the inviter's id")
    try inviteeID.validateUser("the invitee's id")
    guard inviterID != inviteeID else {
      throw RuleError("\(inviterID.escapedForDisplay) cannot invite themselves")
    }
  }

  /// How the registry treats invitations.
  public static let declaration = RecordDeclaration<SessionInvitation>(
    RecordKind("sessionInvitations", singular: "invitation", plural: "invitations"),
    table: "sessionInvitation",
    references: [
      RecordReference(
        needed: { $0.sessionID.uuidString }, column: "sessionId", to: LiveSession.self)
    ],
    csv: .withDates([
      .init("sessionId", \.sessionID), .init("inviterId", \.inviterID),
      .init("inviteeId", \.inviteeID), .init("status", \.status),
    ]))
}

/// The status of an invitation.
public enum InvitationStatus: String, Vocabulary {
  /// It is not answered.
  case pending = "Pending"
  /// It was accepted.
  case accepted = "Accepted"
  /// It was declined.
  case declined = "Declined"

  /// The name for one of the words: "status".
  public static var noun: String { "status" }
}
