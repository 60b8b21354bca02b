public import Foundation
public import Holdfast

extension FaithJournal {
  /// Returns sessions, all or those with a recording, by their start, newest first.
  public func sessions(
    recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [LiveSession] {
    var list = RecordList("session", last: "startTime")
    if let recording { list.filter("recordingId = ?", .text(recording.uuidString)) }
    return try page(list, limit: limit, offset: offset)
  }

  /// Returns how many take part in a session, including the host.
  public func currentParticipants(of session: UUID) throws -> Int {
    try library.read { db in
      try db.requireEnabled(LiveSession.self)
      return try db.participantCount(of: session)
    }
  }

  /// Returns the participants of a session, in the order in which they joined.
  public func participants(of session: UUID) throws -> [LiveSessionParticipant] {
    try page(RecordList("sessionParticipant", of: session, by: "joinedAt"))
  }

  /// Returns the messages of a session, oldest first.
  public func messages(
    of session: UUID, limit: Int? = nil, offset: Int = 0
  ) throws -> [ChatMessage] {
    try page(
      RecordList("chatMessage", of: session, by: "timestamp"), limit: limit, offset: offset)
  }

  /// Returns the invitations to a session, oldest first.
  public func invitations(to session: UUID) throws -> [SessionInvitation] {
    try page(RecordList("sessionInvitation", of: session, by: "createdAt"))
  }
}
