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
  /// The entry that answers it.
  public var entryID: UUID?
  /// When it was added.
  public let createdAt: Date
  /// When a person last changed it; `nil` if never.
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

extension FaithJournal {
  /// Returns the next prompt: the oldest unused one, else the least recently used one.
  ///
  /// - Parameter category: Only prompts of this category, in any case.
  /// - Returns: The prompt; `nil` if there is none.
  public func nextPrompt(in category: String? = nil) throws -> JournalPrompt? {
    try prompts(in: category, limit: 1).first
  }

  /// Returns prompts, of one category in any case or of all, in the order in which they come next.
  public func prompts(
    in category: String? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [JournalPrompt] {
    // SQLite sorts NULL first.
    var list = RecordList("journalPrompt", by: [.init("usedDate"), .init("createdAt")])
    if let category { list.filter("foldedCategory = ?", .text(category.trimmed.foldedCase)) }
    return try page(list, limit: limit, offset: offset)
  }

  /// Stamps a prompt as used now. Without an entry that answers it, it keeps its present link.
  ///
  /// - Throws: `HoldfastError` when the prompt or the entry does not exist.
  @discardableResult
  public func usePrompt(
    id: UUID, for entry: UUID? = nil, now: Date = Date()
  ) throws -> JournalPrompt {
    try library.write { db in
      if let entry { _ = try db.existing(JournalEntry.self, entry) }
      return try db.usePrompt(id, for: entry, now)
    }
  }
}

extension RecordDatabase {
  /// Stamps a prompt as used.
  @discardableResult
  func usePrompt(_ id: UUID, for entry: UUID?, _ now: Date) throws -> JournalPrompt {
    try edit(JournalPrompt.self, id: id, now: now) { prompt in
      prompt.usedDate = now.roundedToMillisecond
      if let entry { prompt.entryID = entry }
    }
  }
}
