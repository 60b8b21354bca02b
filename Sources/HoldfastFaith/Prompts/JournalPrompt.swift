public import Foundation
public import Holdfast

/// A question or a thought to write by.
public struct JournalPrompt: JournalRecord {
  /// The prompt's identity.
  public let id: UUID
  /// The question or thought.
  public var prompt: String
  /// A category, in the person's own words. It may be empty.
  public var category: String
  /// When it was last used; `nil` if it was not.
  public var usedDate: Date?
  /// The entry that was written by it.
  public var entryID: UUID?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if nobody has.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, prompt, category, usedDate
    case entryID = "entryId"
    case createdAt, modifiedAt
  }

  /// Makes a prompt that was not used yet.
  public init(prompt: String, category: String = "", createdAt: Date) {
    id = UUID()
    self.prompt = prompt
    self.category = category.trimmed
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Whether it was used.
  public var isUsed: Bool { usedDate != nil }

  /// When it was used, which is not in the future.
  public var happenedAt: Date? { usedDate }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try prompt.validateName("the prompt", limit: FaithLimit.prompt)
    try category.validate("the category has", limit: FaithLimit.category)
  }

  /// How the registry treats prompts.
  public static let declaration = RecordDeclaration<JournalPrompt>(
    RecordKind("journalPrompts", singular: "prompt", plural: "prompts"), table: "journalPrompt",
    derived: [DerivedColumn("foldedCategory") { .text($0.category.trimmed.foldedCase) }],
    references: [RecordReference(\.entryKey, column: "entryId", to: JournalEntry.self)],
    csv: .withDates([
      .init("prompt", \.prompt), .init("category", \.category), .init("usedDate", \.usedDate),
      .init("entryId", \.entryID),
    ]))

  private var entryKey: String? {
    get { entryID?.uuidString }
    set { entryID = newValue.flatMap { UUID(uuidString: $0) } }
  }
}
