public import Holdfast

extension Journal {
  /// A spiritual journal: entries with voice notes, prayers, moods, and prompts to write by.
  public static let faith = Journal(
    "faith",
    kinds: [
      JournalEntry.self, PrayerRequest.self, MoodEntry.self, JournalPrompt.self,
      BibleVerseOfTheDay.self, BookmarkedVerse.self, Devotional.self, BibleStudyTopic.self,
      ReadingPlan.self, LiveSession.self, LiveSessionParticipant.self, ChatMessage.self,
      SessionInvitation.self, Subscription.self, UserProfile.self,
    ],
    migrations: [FaithSchema.v1],
    fingerprint: "757114bef2900699956966b8307918d32fc7cffb0079640e01a9a0dd7d1a553d", app: .faith)
}

enum FaithSchema {
  /// The tables of the first version. `STRICT` refuses a text in place of a number.
  static let v1 = [
    entries, prayers, moods, prompts, verses, devotionals, study, sessions,
    subscriptions, profile,
  ].joined(separator: "\n")
}
