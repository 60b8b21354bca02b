package import Holdfast
import HoldfastFood
package import HoldfastWeb
package import Hummingbird

package struct FoodPages: JournalPages {
  package static let journal = Journal.food
  package static let title = "Food"
  package static let summary = "What you eat, and the sums of each day."

  private let host: LibraryHost

  package init(host: LibraryHost) { self.host = host }

  package static func link(to record: any DeclaredRecord) -> RecordLink? {
    (record as? FoodEntry).map { RecordLink("/food/entries/\($0.id)", "Food: \($0.foodName)") }
  }

  package func add(to pages: RouterGroup<WebContext>) {
    DayPages(host: host).add(to: pages)
    EntryForm().add(to: pages, host)
    MonthPages(host: host).add(to: pages)
    IngredientPages(host: host).add(to: pages)
  }
}
