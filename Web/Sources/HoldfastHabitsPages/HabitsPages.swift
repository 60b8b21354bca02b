package import Holdfast
import HoldfastHabits
package import HoldfastWeb
package import Hummingbird

package struct HabitsPages: JournalPages {
  package static let journal = Journal.habits
  package static let title = "Habits"
  package static let summary = "What you want to do, or do less of, on certain days."

  private let host: LibraryHost

  package init(host: LibraryHost) { self.host = host }

  package static func link(to record: any DeclaredRecord) -> RecordLink? {
    switch record {
    case let habit as Habit: RecordLink("/habits/\(habit.id)", "Habit: \(habit.name)")
    case let day as HabitDay: RecordLink("/habits/days/\(day.day)", "Habits of a day")
    default: nil
    }
  }

  package func add(to pages: RouterGroup<WebContext>) {
    DayPages(host: host).add(to: pages)
    TapPages(host: host).add(to: pages)
    ReminderPages(host: host).add(to: pages)
    HabitPages(host: host).add(to: pages)
  }
}
