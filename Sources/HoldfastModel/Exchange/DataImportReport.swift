public import Foundation

/// What an import of data did, or would do.
public struct DataImportReport: Hashable, Sendable {
  /// What became of the records of one kind; each record of the document is in one of the numbers.
  public struct Counts: Codable, Hashable, Sendable {
    /// Records that were not known.
    public var added = 0
    /// Records that were known, and are different now.
    public var updated = 0
    /// Records that say nothing new.
    public var unchanged = 0
    /// Recordings that the library has no file of.
    public var noFile = 0
    /// Records that cannot be taken.
    public var refused = 0

    /// Makes counts of nothing.
    public init() {}
  }

  /// A record that was not taken.
  public enum Item: Hashable, Sendable {
    /// A recording that the library has no file of, by its original name.
    case noFile(id: RecordingID, name: String)
    /// A record that breaks a rule, or cannot be read.
    ///
    /// - Parameters:
    ///   - index: Its place in its list, counted from 0.
    ///   - id: What it says of its identity, cut short.
    ///   - reason: One sentence.
    case refused(RecordKind, index: Int, id: String?, reason: String)
  }

  /// A record that was taken.
  public struct Change: Hashable, Sendable {
    /// Its kind.
    public var kind: RecordKind
    /// Its identity in the library.
    public var id: UUID
    /// Whether it was not known before.
    public var isNew: Bool
  }

  /// The records that were added or updated.
  public private(set) var changes: [Change] = []
  /// What became of the records of each kind.
  public var counts: [RecordKind: Counts]
  /// The records that were not taken, kind by kind.
  public var items: [Item]

  /// Makes a report of nothing.
  public init() {
    counts = Dictionary(uniqueKeysWithValues: RecordKind.allCases.map { ($0, Counts()) })
    items = []
  }

  /// Counts one record that was taken.
  public mutating func change(_ kind: RecordKind, _ id: UUID, isNew: Bool) {
    count(kind, isNew ? \.added : \.updated)
    changes.append(Change(kind: kind, id: id, isNew: isNew))
  }

  /// Counts one record of a kind.
  public mutating func count(_ kind: RecordKind, _ what: WritableKeyPath<Counts, Int>) {
    counts[kind, default: Counts()][keyPath: what] += 1
  }
}
