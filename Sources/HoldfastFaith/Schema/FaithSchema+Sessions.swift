import Holdfast

private typealias Rule = ColumnConstraint

extension FaithSchema {
  /// Sessions with their participants, messages and invitations.
  static let sessions = """
    CREATE TABLE session (
      \(id),
      title TEXT NOT NULL \(Rule.name("title", atMost: FaithLimit.title)),
      details TEXT NOT NULL \(Rule.text("details", atMost: FaithLimit.details)),
      hostId TEXT NOT NULL \(Rule.trimmedName("hostId", atMost: FaithLimit.user)),
      \(moment("startTime")),
      endTime TEXT \(Rule.moment("endTime")),
      maxParticipants INTEGER NOT NULL
        \(Rule.integer("maxParticipants", 1...FaithLimit.participants)),
      category TEXT NOT NULL \(Rule.text("category", atMost: FaithLimit.category)),
      isPrivate INTEGER NOT NULL \(Rule.flag("isPrivate")),
      \(recording),
      \(Rule.dates),
      CONSTRAINT "endTime is startTime or later" CHECK (endTime IS NULL OR endTime >= startTime)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX session_recent ON session (startTime DESC, id);
    \(linkIndex("session", newest: "startTime"))
    \(tags("sessionTag", of: "session"))

    CREATE TABLE sessionParticipant (
      \(id),
      \(session),
      userId TEXT NOT NULL \(Rule.trimmedName("userId", atMost: FaithLimit.user)),
      joinedAt TEXT NOT NULL \(Rule.moment("joinedAt")),
      role TEXT NOT NULL \(Rule.word("role", ParticipantRole.self)),
      \(Rule.dates),
      UNIQUE (sessionId, userId)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX sessionParticipant_host ON sessionParticipant (sessionId)
      WHERE role = 'Host';

    CREATE TABLE chatMessage (
      \(id),
      \(session),
      userId TEXT NOT NULL \(Rule.trimmedName("userId", atMost: FaithLimit.user)),
      userName TEXT NOT NULL \(Rule.name("userName", atMost: FaithLimit.user)),
      message TEXT NOT NULL \(Rule.name("message", atMost: FaithLimit.message)),
      \(moment("timestamp")),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX chatMessage_session ON chatMessage (sessionId, timestamp, id);
    -- A foreign key of two columns would refuse a whole import for one message.
    CREATE TRIGGER chatMessage_sender BEFORE INSERT ON chatMessage
    WHEN NOT EXISTS (
      SELECT 1 FROM sessionParticipant
      WHERE sessionId = NEW.sessionId AND userId = NEW.userId)
    BEGIN SELECT RAISE(ABORT, 'constraint failed: the sender is no participant'); END;

    CREATE TABLE sessionInvitation (
      \(id),
      \(session),
      inviterId TEXT NOT NULL \(Rule.trimmedName("inviterId", atMost: FaithLimit.user)),
      inviteeId TEXT NOT NULL \(Rule.trimmedName("inviteeId", atMost: FaithLimit.user)),
      status TEXT NOT NULL \(Rule.word("status", InvitationStatus.self)),
      \(Rule.dates),
      UNIQUE (sessionId, inviteeId),
      CONSTRAINT "nobody invites themselves" CHECK (inviterId <> inviteeId)
    ) STRICT, WITHOUT ROWID;
    CREATE TRIGGER sessionInvitation_once BEFORE UPDATE ON sessionInvitation
    WHEN OLD.status <> 'Pending' AND NEW.status <> OLD.status
    BEGIN SELECT RAISE(ABORT, 'constraint failed: the invitation was answered'); END;
    """

  private static let session =
    "sessionId TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE"

  /// Subscriptions. Nothing in Holdfast depends on them.
  static let subscriptions = """
    CREATE TABLE subscription (
      \(id),
      userId TEXT NOT NULL \(Rule.trimmedName("userId", atMost: FaithLimit.user)),
      planType TEXT NOT NULL \(Rule.word("planType", SubscriptionPlan.self)),
      startDay TEXT NOT NULL \(Rule.day("startDay")),
      endDay TEXT \(Rule.day("endDay")),
      autoRenew INTEGER NOT NULL \(Rule.flag("autoRenew")),
      \(Rule.dates),
      CONSTRAINT "only Premium has an endDay" CHECK ((planType = 'Premium') = (endDay IS NOT NULL)),
      CONSTRAINT "only Premium renews itself" CHECK (planType = 'Premium' OR autoRenew = 0),
      CONSTRAINT "endDay is startDay or later" CHECK (endDay IS NULL OR endDay >= startDay)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX subscription_user ON subscription (userId, startDay DESC);
    CREATE INDEX subscription_recent ON subscription (startDay DESC, id);
    \(alone("INSERT"))
    \(alone("UPDATE"))
    """

  /// A trigger for one kind of statement: a user has one subscription at a time.
  private static func alone(_ statement: String) -> String {
    """
    CREATE TRIGGER subscription_alone_\(statement.lowercased()) BEFORE \(statement) ON subscription
    WHEN EXISTS (
      SELECT 1 FROM subscription WHERE userId = NEW.userId AND id <> NEW.id
        AND startDay <= coalesce(NEW.endDay, '~') AND coalesce(endDay, '~') >= NEW.startDay)
    BEGIN SELECT RAISE(ABORT, 'constraint failed: a user has one subscription at a time'); END;
    """
  }

  /// The person whose library it is: at most one row, because the index has one key.
  static let profile = """
    CREATE TABLE profile (
      \(id),
      name TEXT NOT NULL \(Rule.name("name", atMost: FaithLimit.title)),
      email TEXT \(Rule.text("email", atMost: FaithLimit.email))
        CONSTRAINT "email has one @ inside" CHECK (
          email LIKE '_%@%_' AND length(replace(email, '@', '')) = length(email) - 1),
      image TEXT \(photoReference("image")),
      \(Rule.dates)
    ) STRICT, WITHOUT ROWID;
    CREATE UNIQUE INDEX profile_only ON profile (id IS NULL);

    CREATE TABLE profilePreference (
      profileId TEXT NOT NULL REFERENCES profile (id) ON DELETE CASCADE,
      key TEXT NOT NULL \(Rule.name("key", atMost: FaithLimit.preferenceKey)),
      value TEXT NOT NULL \(Rule.text("value", atMost: FaithLimit.preferenceValue)),
      PRIMARY KEY (profileId, key)
    ) STRICT, WITHOUT ROWID;
    """
}
