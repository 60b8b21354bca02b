public import Foundation
public import Holdfast

extension FaithJournal {
  /// Adds a session together with its host as a participant.
  public func add(_ session: LiveSession, now: Date = Date()) throws {
    try library.write { db in try db.add(session, hostJoining: now) }
  }

  /// Adds a participant to a session.
  ///
  /// - Throws: `HoldfastError` when the session is over or full, and when the user is in it
  ///   already.
  @discardableResult
  public func join(
    _ session: UUID, user: String, now: Date = Date()
  ) throws -> LiveSessionParticipant {
    try library.write { db in
      let session = try db.existing(LiveSession.self, session)
      guard try db.participant(user, of: session.id) == nil else {
        throw RuleError("\(user.userID.escapedForDisplay) is in the session already")
      }
      return try db.join(session, as: user, now)
    }
  }

  /// Ends a session.
  ///
  /// - Throws: `HoldfastError` when it is over already, and when it would end before its start.
  @discardableResult
  public func end(_ session: UUID, at moment: Date? = nil, now: Date = Date()) throws
    -> LiveSession
  {
    try library.write { db in
      try db.existing(LiveSession.self, session).refuseIfOver(now)
      return try db.edit(LiveSession.self, id: session, now: now) { session in
        session.endTime = (moment ?? now).roundedToMillisecond
      }
    }
  }

  /// Adds a participant's message.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the sender is not a
  ///   participant.
  public func say(_ message: ChatMessage, now: Date = Date()) throws {
    try library.write { db in
      let session = try db.existing(LiveSession.self, message.sessionID)
      try message.validate()
      guard try db.participant(message.userID, of: session.id) != nil else {
        throw RuleError(
          "\(message.userID.escapedForDisplay) is not a participant of the session; they must join "
            + "first")
      }
      try db.add(message, now: now)
    }
  }

  /// Invites a user to a session.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, when the session is over, and when the
  ///   user is invited or in it already.
  public func invite(_ invitation: SessionInvitation, now: Date = Date()) throws {
    try library.write { db in
      let session = try db.existing(LiveSession.self, invitation.sessionID)
      try invitation.validate()
      try session.refuseIfOver(now)
      let invitee = invitation.inviteeID
      guard try db.participant(invitee, of: session.id) == nil else {
        throw RuleError("\(invitee.escapedForDisplay) is in the session already")
      }
      let others = try db.rows(
        "SELECT status FROM sessionInvitation WHERE sessionId = ? AND inviteeId = ?",
        [.text(session.id.uuidString), .text(invitee)])
      if let status = others.first?["status"].text {
        throw RuleError(
          "\(invitee.escapedForDisplay) is invited already, and the invitation is \(status)")
      }
      try db.add(invitation, now: now)
    }
  }

  /// Accepts an invitation and adds the invitee to the session, in one transaction.
  ///
  /// - Throws: `HoldfastError` when the invitation was answered already, and when the session is
  ///   over or full.
  @discardableResult
  public func accept(_ invitation: UUID, now: Date = Date()) throws -> SessionInvitation {
    try library.write { db in
      let accepted = try db.answer(invitation, with: .accepted, now)
      let session = try db.existing(LiveSession.self, accepted.sessionID)
      if try db.participant(accepted.inviteeID, of: session.id) == nil {
        try db.join(session, as: accepted.inviteeID, now)
      }
      return accepted
    }
  }

  /// Declines an invitation.
  ///
  /// - Throws: `HoldfastError` when the invitation was answered already.
  @discardableResult
  public func decline(_ invitation: UUID, now: Date = Date()) throws -> SessionInvitation {
    try library.write { db in try db.answer(invitation, with: .declined, now) }
  }
}

extension LiveSession {
  /// Refuses a session that is over.
  fileprivate func refuseIfOver(_ now: Date) throws(RuleError) {
    guard let endTime, isOver(at: now) else { return }
    throw RuleError("the session is over since \(endTime.localText(offset: startTimeOffset))")
  }
}

extension RecordDatabase {
  fileprivate func participant(
    _ user: String, of session: UUID
  ) throws -> LiveSessionParticipant? {
    try records(
      LiveSessionParticipant.self, clause: "WHERE sessionId = ? AND userId = ?",
      arguments: [.text(session.uuidString), .text(user.userID)]
    ).first
  }

  /// Adds a session together with its host as a participant.
  public func add(_ session: LiveSession, hostJoining now: Date) throws {
    try add(session, now: now)
    try insert(
      LiveSessionParticipant(
        sessionID: session.id, userID: session.hostID, joinedAt: now, role: .host))
  }

  @discardableResult
  fileprivate func join(
    _ session: LiveSession, as user: String, _ now: Date
  ) throws -> LiveSessionParticipant {
    try session.refuseIfOver(now)
    let count = try participantCount(of: session.id)
    guard count < session.maxParticipants else {
      throw RuleError(
        "the session is full: \(count) take part, and it has room for \(session.maxParticipants)")
    }
    let participant = LiveSessionParticipant(sessionID: session.id, userID: user, joinedAt: now)
    try add(participant, now: now)
    return participant
  }

  func participantCount(of session: UUID) throws -> Int {
    try rows(
      "SELECT count(*) AS count FROM sessionParticipant WHERE sessionId = ?",
      [.text(session.uuidString)]
    ).first?["count"].integer ?? 0
  }

  fileprivate func answer(
    _ id: UUID, with status: InvitationStatus, _ now: Date
  ) throws -> SessionInvitation {
    try edit(SessionInvitation.self, id: id, now: now) { invitation in
      guard invitation.status == .pending else {
        throw RuleError(
          "the invitation was answered already: it is \(invitation.status.rawValue)")
      }
      invitation.status = status
    }
  }
}
