public import Foundation
public import Holdfast

extension FaithJournal {
  /// Writes an entry, whose date must not be in the future, and stamps the prompt that it answers
  /// as used.
  ///
  /// - Throws: `HoldfastError` when a value breaks a rule, and when the prompt or the recording
  ///   does not exist. Then nothing is written.
  public func write(
    _ entry: JournalEntry, promptedBy prompt: UUID? = nil, now: Date = Date()
  ) throws {
    try library.write { db in try db.write(entry, promptedBy: prompt, now: now) }
  }

  /// Returns the tags of entries, most used first.
  ///
  /// - Parameter includesPrivate: Whether the tags of private entries count too.
  public func tags(includingPrivate includesPrivate: Bool = false) throws -> [TagCount] {
    try library.read { db in
      try db.requireEnabled(JournalEntry.self)
      var counts: [String: TagCount] = [:]
      var periods = RecordPeriods(of: "journalEntry", by: "date", first: 8000)
      while let period = try periods.next(db) {
        let rows = try db.rows(
          """
          SELECT foldedTag, min(tag) AS tag, count(*) AS count
          FROM journalEntry JOIN entryTag ON journalEntryId = id
          WHERE date >= ? AND date < ? AND isPrivate <= ? GROUP BY foldedTag
          """, [.text(period.since), .text(period.until), .integer(includesPrivate ? 1 : 0)])
        for row in rows {
          guard let folded = row["foldedTag"].text, let tag = row["tag"].text else { continue }
          counts[folded, default: TagCount(tag: tag, count: 0)].count += row["count"].integer ?? 0
        }
      }
      return counts.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }.map(\.value)
    }
  }
}

extension RecordDatabase {
  /// Writes an entry, and stamps its prompt as used.
  public func write(_ entry: JournalEntry, promptedBy prompt: UUID?, now: Date) throws {
    try add(entry, now: now)
    if let prompt { try usePrompt(prompt, for: entry.id, now) }
  }
}

/// A tag with the number of entries that have it.
public struct TagCount: Codable, Hashable, Sendable {
  /// The tag, as one of the entries has it.
  public var tag: String
  /// How many entries have it, in any case.
  public var count: Int
}
