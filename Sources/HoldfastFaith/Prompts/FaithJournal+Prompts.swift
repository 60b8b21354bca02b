public import Foundation
internal import Holdfast

extension FaithJournal {
  /// Returns the prompt to write by next: of those that were not used the oldest, else the one that
  /// was used longest ago.
  ///
  /// - Parameter category: Only prompts of this category, in any case.
  /// - Returns: The prompt; `nil` if there is none.
  public func nextPrompt(in category: String? = nil) throws -> JournalPrompt? {
    try prompts(in: category, limit: 1).first
  }

  /// Returns prompts in the order in which they are next.
  ///
  /// - Parameters:
  ///   - category: Only prompts of this category, in any case.
  ///   - limit: The most prompts to return.
  ///   - offset: How many to skip first.
  public func prompts(
    in category: String? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [JournalPrompt] {
    // SQLite sorts NULL first.
    try page(
      (category == nil ? "" : "WHERE foldedCategory = ? ") + "ORDER BY usedDate, createdAt, id",
      category.map { [.text($0.trimmed.foldedCase)] } ?? [], limit: limit, offset: offset)
  }

  /// Stamps a prompt as used now.
  ///
  /// - Parameters:
  ///   - id: The prompt.
  ///   - entry: The entry that was written by it; `nil` keeps the one that it names.
  ///   - now: The time.
  /// - Throws: `LibraryError` when the prompt or the entry does not exist.
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
