package import Holdfast
import HoldfastFaith
package import HoldfastWeb
package import Hummingbird

/// The pages of the faith journal. Sessions and the other records have no pages.
package struct FaithPages: JournalPages {
  package static let journal = Journal.faith
  package static let title = "Faith"
  package static let summary = "What you write and pray, moods, verses and reading plans."

  private let host: LibraryHost

  /// Makes the pages.
  package init(host: LibraryHost) { self.host = host }

  package static func link(to record: any DeclaredRecord) -> RecordLink? {
    switch record {
    case let entry as JournalEntry:
      RecordLink("/faith/entries/\(entry.id)", "Entry: \(entry.title)")
    case let prayer as PrayerRequest:
      RecordLink("/faith/prayers/\(prayer.id)", "Prayer: \(prayer.title)")
    case let mood as MoodEntry: RecordLink("/faith/moods", "Mood: \(mood.mood)")
    default: nil
    }
  }

  package func add(to pages: RouterGroup<WebContext>) {
    TodayPages(host: host).add(to: pages)
    EntryPages(host: host).add(to: pages)
    PrayerPages(host: host).add(to: pages)
    MoodPages(host: host).add(to: pages)
    VersePages(host: host).add(to: pages)
    PlanPages(host: host).add(to: pages)
    PromptPages(host: host).add(to: pages)
    DevotionalPages(host: host).add(to: pages)
    StudyPages(host: host).add(to: pages)
  }
}
