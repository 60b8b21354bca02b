public import Foundation
public import Holdfast

/// The verse of a day, chosen by a person. Each day has at most one.
public struct BibleVerseOfTheDay: JournalRecord {
  /// The verse's identity.
  public let id: UUID
  /// The reference, such as `Psalm 23:1`.
  public var reference: String
  /// Its words.
  public var text: String
  /// The translation, such as `KJV`. It may be empty.
  public var translation: String
  /// The day.
  public var date: Day
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
  public var modifiedAt: Date?

  /// Makes the verse of a day.
  public init(reference: String, text: String, translation: String, date: Day, createdAt: Date) {
    id = UUID()
    self.reference = reference.trimmed
    self.text = text
    self.translation = translation.trimmed
    self.date = date
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try Verse.validate(reference, text: text, translation: translation)
  }

  /// Refuses a verse if its day has another one.
  public func validate(beside others: any RecordDatabase) throws {
    guard let other = try others.verse(of: date), other.id != id else { return }
    throw RuleError(
      "\(date) has a verse already, "
        + "\(other.reference.escapedForDisplay); delete it first, or choose another day")
  }

  /// How the registry treats verses of the day.
  public static let declaration = RecordDeclaration<BibleVerseOfTheDay>(
    RecordKind("versesOfTheDay", singular: "verse of the day", plural: "verses of the day"),
    table: "verseOfDay", columns: ["date": "day"],
    csv: .withDates([
      .init("date", \.date), .init("reference", \.reference), .init("text", \.text),
      .init("translation", \.translation),
    ]))
}

/// The rules of all verses.
enum Verse {
  static func validate(
    _ reference: String, text: String, translation: String
  ) throws(RuleError) {
    try reference.validateTrimmedName("the reference", limit: FaithLimit.reference)
    try text.validateName("the verse's text", limit: FaithLimit.verse)
    try translation.validate("the translation has", limit: FaithLimit.translation)
  }
}
