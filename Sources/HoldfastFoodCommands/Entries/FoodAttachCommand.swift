import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastFood

struct AttachEntry: RecordAction {
  static let verb = RecordVerb(
    "attach", done: "attached", abstract: "Put an entry back into the sums of its day.")

  func apply(to entry: FoodEntry, in library: Library) throws -> FoodEntry {
    try library.food.attach(id: entry.id)
  }
}

struct DetachEntry: RecordAction {
  static let verb = RecordVerb(
    "detach", done: "detached",
    abstract: "Remove an entry from the sums of its day; the entry is kept.")

  func apply(to entry: FoodEntry, in library: Library) throws -> FoodEntry {
    try library.food.attach(id: entry.id, false)
  }
}
