package import ArgumentParser
package import Holdfast
package import HoldfastConsole
import HoldfastFaith
package import HoldfastModel

package struct FaithCommand: JournalCommand {
  package static let configuration = CommandConfiguration(
    commandName: "faith", abstract: "Keep a spiritual journal.",
    discussion: """
      The library has a faith journal after holdfast journal enable faith. What you mark as \
      --private is left out of lists, searches, statistics and tables unless a command asks for \
      it. It is not encrypted: a user who can read the library can read it.
      """,
    subcommands: [
      EntryCommand.self, PrayerCommand.self, MoodCommand.self, PromptCommand.self,
      VerseCommand.self, BookmarkCommand.self, DevotionalCommand.self, StudyCommand.self,
      PlanCommand.self, SessionCommand.self, SubscriptionCommand.self, ProfileCommand.self,
    ])

  package static let journal = Journal.faith

  package init() {}

  package static func command(to verb: String, _ kind: RecordKind) -> String {
    switch kind {
    // Parts of a session are shown with it. They can be removed, but not edited.
    case LiveSessionParticipant.kind, ChatMessage.kind, SessionInvitation.kind:
      verb == "list" ? "faith session show" : "faith session remove"
    // Photos are shown with their entry.
    case EntryPhoto.kind:
      verb == "list" ? "faith entry show" : "faith entry remove-photo"
    // A library has one profile.
    case UserProfile.kind: verb == "list" ? "faith profile show" : "faith profile set"
    default: "faith \(nouns[kind] ?? kind.singular) \(verb)"
    }
  }

  private static let nouns = [
    JournalEntry.kind: "entry", PrayerRequest.kind: "prayer", MoodEntry.kind: "mood",
    JournalPrompt.kind: "prompt", BibleVerseOfTheDay.kind: "verse",
    BookmarkedVerse.kind: "bookmark", Devotional.kind: "devotional",
    BibleStudyTopic.kind: "study", ReadingPlan.kind: "plan",
    LiveSession.kind: "session", Subscription.kind: "subscription",
  ]

  package static func statistics(
    of library: Library, over period: StatisticsPeriod
  ) throws -> any JournalStatistics {
    try library.faith.statistics(of: period)
  }
}

protocol FaithRecord: ShownRecord {}

extension FaithRecord {
  package static var journal: Journal? { .faith }

  package static var idHelp: ArgumentHelp {
    "Its id, or at least four characters of its beginning."
  }

  package static var idsHelp: ArgumentHelp {
    "The ids, or at least four characters of the beginning of each."
  }

  package static var showAbstract: String { "Show everything about a \(singular)." }
}

/// The option for the title of a new record.
struct NewTitleOption: ParsableArguments {
  @Option(parsing: .unconditional, help: ArgumentHelp("The title.", valueName: "text"))
  var title: String
}

/// The option for a new title of an existing record.
struct TitleOption: ParsableArguments {
  @Option(unconditional: "The title.", valueName: "text")
  var title: String?
}

struct TagOption: ParsableArguments {
  @Option(
    name: .customLong("tag"), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("A word to find it by; may be given more than once.", valueName: "word"))
  var tags: [String] = []
}

/// The option for the notes of a new record.
struct NotesOption: ParsableArguments {
  @Option(unconditional: "What you write about it, at most 5000 characters.", valueName: "text")
  var notes: String?
}

/// The option for new notes of an existing record.
struct OtherNotesOption: ParsableArguments {
  @Option(unconditional: "What you write about it; an empty text removes it.", valueName: "text")
  var notes: String?
}
