public import Holdfast

extension Journal {
  /// A spiritual journal: entries with voice notes, prayers, moods, and prompts to write by.
  public static let faith = Journal(
    "faith",
    kinds: [
      JournalEntry.self, EntryPhoto.self, PrayerRequest.self, MoodEntry.self, JournalPrompt.self,
      BibleVerseOfTheDay.self, BookmarkedVerse.self, Devotional.self, BibleStudyTopic.self,
      ReadingPlan.self, LiveSession.self, LiveSessionParticipant.self, ChatMessage.self,
      SessionInvitation.self, Subscription.self, UserProfile.self,
    ],
    migrations: [FaithSchema.v1, FaithSchema.photos],
    fingerprint: "e735c5fba57e200448c8bc490669dc1c59503b45192983b24fdf1d8c77e3358b",
    aroundImport: { _, _ in { try $0.dropReferencesToPhotos() } }, app: .faith)
}

enum FaithSchema {
  /// The tables of the first version. `STRICT` refuses a text in place of a number.
  static let v1 = [
    entries, prayers, moods, prompts, verses, devotionals, study, sessions,
    subscriptions, profile,
  ].joined(separator: "\n")
}
