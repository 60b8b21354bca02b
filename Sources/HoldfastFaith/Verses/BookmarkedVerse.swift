public import Foundation
public import Holdfast

/// A bookmarked verse: one for each reference and translation, in any case.
public struct BookmarkedVerse: JournalRecord {
  /// The bookmark's identity.
  public let id: UUID
  /// The reference, such as `Psalm 23:1`.
  public var reference: String
  /// Its words.
  public var text: String
  /// The translation, such as `KJV`. It may be empty.
  public var translation: String
  /// The person's notes.
  public var notes: String?
  /// When it was bookmarked.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  /// Makes a bookmark.
  public init(
    reference: String, text: String, translation: String, notes: String? = nil, createdAt: Date
  ) {
    id = UUID()
    self.reference = reference.trimmed
    self.text = text
    self.translation = translation.trimmed
    self.notes = notes?.nonBlank
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try Verse.validate(reference, text: text, translation: translation)
    try notes?.validate("the notes have", limit: FaithLimit.notes)
  }

  /// Refuses a second bookmark of the same reference and translation.
  public func validate(beside others: any RecordDatabase) throws {
    if let other = try others.bookmark(of: reference, translation), other.id != id {
      throw RuleError("\(reference.escapedForDisplay) is bookmarked already in this translation")
    }
  }

  /// How the registry treats bookmarks.
  public static let declaration = RecordDeclaration<BookmarkedVerse>(
    RecordKind("bookmarkedVerses", singular: "bookmark", plural: "bookmarks"),
    table: "bookmarkedVerse",
    derived: [
      DerivedColumn("foldedReference") { .text($0.reference.trimmed.foldedCase) },
      DerivedColumn("foldedTranslation") { .text($0.translation.trimmed.foldedCase) },
    ],
    csv: .withDates([
      .init("reference", \.reference), .init("text", \.text), .init("translation", \.translation),
      .init("notes", \.notes),
    ]))
}
