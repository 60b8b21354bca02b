import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole
import HoldfastFood

/// An edit of an ingredient, which also sets when its data last changed.
protocol IngredientEdit: RecordEdit where Record == Ingredient {}

extension IngredientEdit {
  func edit(
    _ id: String, in library: Library, now: Date, _ change: (inout Ingredient) throws -> Void
  ) throws -> Ingredient {
    try library.food.editIngredient(id: id, now: now, change)
  }
}

struct IngredientDataEdit: IngredientEdit {
  static let verb = RecordVerb.edit(
    "Change an ingredient; only what you name changes.",
    """
    Entries that were logged with it keep their figures. An empty --fiber, --sugar or \
    --subcategory removes it.
    """)

  @OptionGroup var options: IngredientOptions

  var changes: [Change<Ingredient>?] { options.changes }
}

struct IngredientAliasEdit: IngredientEdit {
  static let verb = RecordVerb(
    "alias", done: "changed", abstract: "Add other names to an ingredient, or remove them.")

  @Argument(help: "The names. They are kept in lower case.")
  var names: [String]

  @Flag(help: "Remove the names.")
  var remove = false

  var changes: [Change<Ingredient>?] {
    names.map { .set($0) { if remove { $0.removeAlias($1) } else { $0.addAlias($1) } } }
  }
}

struct IngredientTagEdit: IngredientEdit {
  static let verb = RecordVerb(
    "tag", done: "changed", abstract: "Add tags to an ingredient, or remove them.")

  @Argument(help: "The tags.")
  var tags: [String]

  @Flag(help: "Remove the tags.")
  var remove = false

  var changes: [Change<Ingredient>?] {
    tags.map { tag in
      .set(tag) { ingredient, _ in
        if remove { ingredient.tags.removeAll { $0 == tag } } else { ingredient.addTag(tag) }
      }
    }
  }
}

extension Ingredient {
  /// Adds a tag, unless the ingredient has it.
  mutating func addTag(_ tag: String) {
    if !tags.contains(tag) { tags.append(tag) }
  }
}

struct IngredientVerification: IngredientEdit {
  static let verb = RecordVerb(
    "verify", done: "verified", abstract: "Note that you have checked an ingredient's figures.")

  @Option(
    word: "The state to note: \(VerificationStatus.words) (default: verified).",
    valueName: "status")
  var status: VerificationStatus?

  var done: String { (status ?? .verified).rawValue }
  var changes: [Change<Ingredient>?] { [.set(\.verificationStatus, status ?? .verified)] }
}
