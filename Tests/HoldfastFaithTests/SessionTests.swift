import Foundation
import Holdfast
import HoldfastFaith
import HoldfastTestSupport
import Testing

@Suite("Faith: sessions", .temporaryFolder)
struct SessionTests {
  private func session(room: Int = 2, end: Date? = nil) -> LiveSession {
    LiveSession(
      title: "Evening prayer", hostID: "ruth", startTime: noon, startTimeOffset: 0, endTime: end,
      maxParticipants: room, tags: ["Prayer"], createdAt: noon)
  }

  private func message(_ session: LiveSession, by user: String, _ text: String = "Amen.")
    -> ChatMessage
  {
    ChatMessage(
      sessionID: session.id, userID: user, userName: user, message: text, timestamp: noon,
      timestampOffset: 0, createdAt: noon)
  }

  @Test("8: A session is limited to its number of places, and cannot be joined after its end")
  func room() async throws {
    let library = try openFaith()
    let session = session()
    try library.faith.add(session, now: noon)
    #expect(try library.faith.participants(of: session.id).map(\.role) == [.host])
    try library.faith.join(session.id, user: " naomi ", now: noon)
    #expect(try library.faith.currentParticipants(of: session.id) == 2)
    expectRule("the session is full: 2 take part") {
      try library.faith.join(session.id, user: "boaz", now: noon)
    }
    expectRule("is in the session already") {
      try library.faith.join(session.id, user: "naomi", now: noon)
    }
    #expect(session.isActive(at: noon) && !session.isActive(at: noon - 1))
    let ended = try library.faith.end(session.id, now: noon.addingTimeInterval(60))
    #expect(!ended.isActive(at: noon.addingTimeInterval(60)))
    #expect(ended.isActive(at: noon.addingTimeInterval(59)))
    try library.edit(LiveSession.self, id: session.id) { $0.maxParticipants = 5 }
    expectRule("the session is over since") { try library.faith.join(session.id, user: "boaz") }
    expectRule("the session is over since") { try library.faith.end(session.id) }
    #expect(try library.faith.sessions().map(\.maxParticipants) == [5])
  }

  @Test("8: Deleting a session deletes its people, messages and invitations; it has one host")
  func cascade() async throws {
    let library = try openFaith()
    let session = session(room: 10)
    try library.faith.add(session, now: noon)
    try library.faith.join(session.id, user: "naomi", now: noon)
    try library.faith.say(message(session, by: "naomi"))
    try library.faith.invite(
      SessionInvitation(
        sessionID: session.id, inviterID: "ruth", inviteeID: "boaz", createdAt: noon))
    for sql in [
      "UPDATE sessionParticipant SET role = 'Host' WHERE userId = 'naomi'",
      "UPDATE sessionParticipant SET userId = 'ruth' WHERE userId = 'naomi'",
      "UPDATE sessionParticipant SET role = 'host'", "UPDATE session SET maxParticipants = 0",
      "UPDATE session SET endTime = '2025-11-03 11:59:59.999'",
      "UPDATE sessionInvitation SET inviteeId = 'ruth'", "UPDATE chatMessage SET message = ' '",
      "UPDATE sessionInvitation SET status = 'pending'",
    ] { #expect(try await sqliteRefuses(sql), "\(sql)") }
    try library.delete(LiveSession.self, id: session.id)
    for table in ["sessionParticipant", "chatMessage", "sessionInvitation", "sessionTag"] {
      #expect(try await sqlite("SELECT count(*) FROM \(table)") == "0", "\(table)")
    }
  }

  @Test("Only participants send messages, in the order of time, with 1 to 2000 characters")
  func chat() async throws {
    let library = try openFaith()
    let session = session()
    try library.faith.add(session, now: noon)
    expectRule("boaz is not a participant") { try library.faith.say(message(session, by: "boaz")) }
    #expect(
      try await sqliteRefuses(
        """
        INSERT INTO chatMessage SELECT id, id, 'boaz', 'Boaz', 'x', startTime, 0, createdAt, NULL
        FROM session
        """, saying: "the sender is no participant"))
    for text in ["", " ", String(repeating: "x", count: 2001)] {
      expectRule("the message") { try library.faith.say(message(session, by: "ruth", text)) }
    }
    var second = message(session, by: "ruth", "second")
    second.timestamp = noon.addingTimeInterval(1)
    try library.faith.say(second)
    try library.faith.say(message(session, by: "ruth", "first"))
    #expect(try library.faith.messages(of: session.id).map(\.message) == ["first", "second"])
  }

  @Test("9: Accepting an invitation joins the session, and it is answered once")
  func invitations() async throws {
    let library = try openFaith()
    let session = session(room: 2)
    try library.faith.add(session, now: noon)
    func invite(_ user: String, by inviter: String = "ruth") throws -> SessionInvitation {
      let invitation = SessionInvitation(
        sessionID: session.id, inviterID: inviter, inviteeID: user, createdAt: noon)
      try library.faith.invite(invitation, now: noon)
      return invitation
    }
    let naomi = try invite("naomi")
    let boaz = try invite("boaz")
    expectRule("is invited already, and the invitation is Pending") { _ = try invite("naomi") }
    expectRule("cannot invite themselves") { _ = try invite("obed", by: "obed") }
    expectRule("is in the session already") { _ = try invite("ruth", by: "naomi") }
    #expect(try library.faith.accept(naomi.id, now: noon).status == .accepted)
    #expect(try library.faith.participants(of: session.id).map(\.userID).contains("naomi"))
    expectRule("answered already: it is Accepted") { try library.faith.accept(naomi.id) }
    expectRule("answered already") { try library.faith.decline(naomi.id) }
    // Full: nothing happens, and the invitation stays open.
    expectRule("the session is full") { try library.faith.accept(boaz.id, now: noon) }
    #expect(try library.faith.invitations(to: session.id).map(\.status).contains(.pending))
    #expect(try library.faith.decline(boaz.id).status == .declined)
    expectRule("answered already: it is Declined") { try library.faith.accept(boaz.id) }
    #expect(
      try await sqliteRefuses(
        "UPDATE sessionInvitation SET status = 'Accepted'", saying: "was answered"))
    try library.faith.end(session.id, now: noon.addingTimeInterval(1))
    expectRule("the session is over") {
      try library.faith.invite(
        SessionInvitation(
          sessionID: session.id, inviterID: "ruth", inviteeID: "orpah", createdAt: noon))
    }
  }
}

@Suite("Faith: subscriptions and the profile", .temporaryFolder)
struct SubscriptionTests {
  private func subscription(
    _ plan: SubscriptionPlan, from start: String = "2025-11-03", through end: String? = nil,
    user: String = "ruth", renews: Bool = false
  ) throws -> Subscription {
    Subscription(
      userID: user, planType: plan, startDate: try Day(start), endDate: try end.map { try Day($0) },
      autoRenew: renews, createdAt: noon)
  }

  @Test("10: Only Premium has a last day and renews itself, by the model and by the schema")
  func plans() async throws {
    let library = try openFaith()
    let day = "2025-12-03"
    for (bad, words) in [
      (try subscription(.lifetime, through: day), "Lifetime has no last day"),
      (try subscription(.free, through: day), "Free has no last day"),
      (try subscription(.premium), "Premium has a last day"),
      (try subscription(.free, renews: true), "Free never renews itself"),
      (try subscription(.premium, through: "2025-11-02"), "ends on 2025-11-02, before its start"),
    ] { expectRule(words) { try library.add(bad) } }
    try library.add(subscription(.premium, through: day, renews: true))
    for sql in [
      "planType = 'Lifetime'", "endDay = NULL", "planType = 'Free', endDay = NULL",
      "endDay = '2025-11-02'", "planType = 'free', endDay = NULL, autoRenew = 0",
    ] { #expect(try await sqliteRefuses("UPDATE subscription SET \(sql)"), "\(sql)") }
    #expect(
      SubscriptionPlan.allCases.map(\.rawValue) == ["Free", "Premium", "Lifetime"]
        && ParticipantRole.allCases.map(\.rawValue) == ["Host", "Participant"]
        && InvitationStatus.allCases.map(\.rawValue) == ["Pending", "Accepted", "Declined"])
  }

  @Test("10: It is active from its first through its last day, and a user has one at a time")
  func active() async throws {
    let library = try openFaith()
    let premium = try subscription(.premium, through: "2025-11-05")
    for (day, isActive) in [
      ("2025-11-02", false), ("2025-11-03", true), ("2025-11-05", true), ("2025-11-06", false),
    ] { #expect(premium.isActive(on: try Day(day)) == isActive, "\(day)") }
    #expect(try subscription(.lifetime).isActive(on: Day("2999-01-01")))
    try library.add(premium)
    for (start, plan) in [("2025-11-05", SubscriptionPlan.free), ("2025-01-01", .lifetime)] {
      expectRule("ruth has another subscription then, Premium from 2025-11-03") {
        try library.add(subscription(plan, from: start))
      }
    }
    #expect(throws: HoldfastError.self) { try library.add(subscription(.free)) }
    try library.add(subscription(.free, user: "naomi"))
    try library.add(subscription(.free, from: "2025-11-06"))
    expectRule("ruth has another subscription then, Free") {
      try library.edit(Subscription.self, id: premium.id) { $0.endDate = try Day("2025-11-07") }
    }
    #expect(
      try await sqliteRefuses("UPDATE subscription SET endDay = '2025-11-07' WHERE endDay > ''"))
    #expect(try library.faith.subscriptions(of: "ruth").count == 2)
  }

  @Test("A library has one profile, with one preference for each name")
  func profile() async throws {
    let library = try openFaith()
    #expect(try library.faith.profile() == nil)
    expectRule("the name is blank") { try library.faith.setProfile { $0.email = "a@b" } }
    let profile = try library.faith.setProfile(now: noon) { profile in
      profile.name = "Ruth"
      profile.email = "ruth@example.org"
      for key in ["theme", "Theme", "é", "z"] { profile[preference: key] = "dark" }
      profile[preference: "z"] = nil
    }
    #expect(try library.faith.profile() == profile)
    #expect(profile.preferences.map(\.key) == ["Theme", "theme", "é"])
    for email in ["@b", "a@", "a@b@c", "ab", String(repeating: "a", count: 253) + "@b"] {
      expectRule("e-mail") { try library.faith.setProfile { $0.email = email } }
      #expect(try await sqliteRefuses("UPDATE profile SET email = '\(email)'"), "\(email)")
    }
    #expect(try await sqliteRefuses("UPDATE profile SET image = '../x'"))
    #expect(throws: HoldfastError.self) {
      try library.add(UserProfile(name: "Naomi", createdAt: noon))
    }
    // Another program's map.
    let json = """
      {"id":"\(UUID().uuidString)","name":"x","preferences":{"b":"2","a":"1"},
      "createdAt":"2025-11-03T12:00:00.000Z"}
      """
    let read = try JSONFormat.decoder.decode(UserProfile.self, from: Data(json.utf8))
    #expect(read.preferences.map(\.key) == ["a", "b"])
    // Deleting the profile keeps the diary.
    try library.faith.write(entry())
    try library.faith.deleteProfile()
    #expect(try await sqlite("SELECT count(*) FROM profilePreference") == "0")
    #expect(try library.faith.entries().count == 1)
    expectRule("no profile is set") { try library.faith.deleteProfile() }
  }
}
