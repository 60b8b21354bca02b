public import Foundation

/// The changes that an import of data made, or would make.
public struct DataImportReport: Hashable, Sendable {
  /// How many records of one kind had each outcome. Each record of the document is counted once.
  public struct Counts: Codable, Hashable, Sendable {
    /// New records.
    public var added = 0
    /// Records that were known and have changed.
    public var updated = 0
    /// Records that hold nothing new.
    public var unchanged = 0
    /// Recordings for which the library has no file.
    public var noFile = 0
    /// Records that cannot be imported.
    public var refused = 0

    /// Makes counts of zero.
    public init() {}
  }

  /// A record that was not imported.
  public enum Item: Hashable, Sendable {
    /// A recording for which the library has no file, with its original name.
    case noFile(id: RecordingID, name: String)
    /// A record that breaks a rule or cannot be read.
    ///
    /// - Parameters:
    ///   - index: The record's position in its list, counted from 0.
    ///   - id: The record's ID as it is written, cut short.
    ///   - reason: One sentence.
    case refused(RecordKind, index: Int, id: String?, reason: String)
  }

  /// A remark about an imported record, which differs from its document or is dated in the future.
  public struct Remark: Hashable, Sendable {
    /// The record's kind.
    public var kind: RecordKind
    /// The record's position in its list, counted from 0.
    public var index: Int
    /// The record's ID in the library.
    public var id: String
    /// The remark: one clause.
    public var text: String
  }

  /// A record that was imported.
  public struct Change: Hashable, Sendable {
    /// The record's kind.
    public var kind: RecordKind
    /// The record's ID in the library.
    public var id: String
    /// Whether the record is new in the library.
    public var isNew: Bool
  }

  /// The records that were added or updated.
  public private(set) var changes: [Change] = []
  /// The kinds of records that the library has, in the order of a document's lists.
  public let kinds: [RecordKind]
  /// The counts for each kind of record.
  public var counts: [RecordKind: Counts]
  /// The records that were not imported, grouped by kind.
  public var items: [Item] = []
  /// Remarks about records that were imported.
  public var remarks: [Remark] = []
  /// What was left out or changed in general: a sentence each.
  public var notes: [String] = []
  /// Whether a record's index is its place in a list of a document that people can read.
  public var hasPlaces = true

  /// How many records of a kind were left out because the document has another version with the
  /// same ID. The version that was changed last is imported, and among equals the last one.
  public var repeated: [RecordKind: Int] = [:]

  /// A sentence for each kind in ``repeated``.
  public var repetitions: [String] {
    repeated.sorted { $0.key.name < $1.key.name }.map { kind, count in
      "\(kind.text(count)) with the ID of another one, left out: the version that was changed last "
        + "counts"
    }
  }

  /// Makes an empty report about these kinds of records.
  public init(_ kinds: [RecordKind]) {
    self.kinds = kinds
    counts = Dictionary(uniqueKeysWithValues: kinds.map { ($0, Counts()) })
  }

  /// Counts and lists a record that was imported.
  public mutating func change(_ kind: RecordKind, _ id: String, isNew: Bool) {
    count(kind, isNew ? \.added : \.updated)
    changes.append(Change(kind: kind, id: id, isNew: isNew))
  }

  /// Leaves recordings that a report has elsewhere out of the counts and changes.
  ///
  /// - Parameter ids: Recordings that were updated, or hold nothing new.
  package mutating func leaveOut(recordings ids: Set<RecordingID>) {
    let isLeftOut = { (change: Change) in
      change.kind == .recordings && UUID(uuidString: change.id).map(ids.contains) == true
    }
    let updated = changes.count(where: isLeftOut)
    changes.removeAll(where: isLeftOut)
    counts[.recordings, default: Counts()].updated -= updated
    counts[.recordings, default: Counts()].unchanged -= ids.count - updated
  }

  /// Adds the remark, if any, about a record that the import changed.
  package mutating func remark<Value: DeclaredRecord>(
    on record: Value, at index: Int, id: String, now: Date
  ) {
    let future = record.future(at: now).map {
      "it is dated \($0.localText), which is in the future"
    }
    for text in [record.importRemark, future].compactMap(\.self) {
      remark(Value.declaration.kind, at: index, id: id, text)
    }
  }

  /// Adds a remark about a record.
  package mutating func remark(_ kind: RecordKind, at index: Int, id: String, _ text: String) {
    remarks.append(Remark(kind: kind, index: index, id: id.cut(to: 40), text: text.cut(to: 300)))
  }

  /// Counts one record of a kind.
  public mutating func count(_ kind: RecordKind, _ what: WritableKeyPath<Counts, Int>) {
    counts[kind, default: Counts()][keyPath: what] += 1
  }
}
