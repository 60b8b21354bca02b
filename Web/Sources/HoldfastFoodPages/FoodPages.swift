package import Holdfast
internal import HoldfastFood
package import HoldfastWeb
package import Hummingbird

/// The pages of the food diary.
package struct FoodPages: JournalPages {
  package static let journal = Journal.food
  package static let title = "Food"
  package static let summary = "What you eat, in your own words, and the sums of each day."

  private let host: LibraryHost

  /// Makes the pages.
  package init(host: LibraryHost) { self.host = host }

  package func add(to pages: RouterGroup<WebContext>) {
    DayPages(host: host).add(to: pages)
    EntryForm().add(to: pages, host)
    IngredientPages(host: host).add(to: pages)
  }
}
