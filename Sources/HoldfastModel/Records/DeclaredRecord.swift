public import Foundation

/// A value of a kind of record that is declared for the registry.
///
/// Its JSON is the export's, with the names of the columns.
public protocol DeclaredRecord: Codable, Hashable, Sendable, Identifiable where ID: RecordKey {
  /// Everything that the library must know about this kind of record.
  static var declaration: RecordDeclaration<Self> { get }

  /// When it was made.
  var createdAt: Date { get }
  /// When a person last changed it; `nil` for never.
  var modifiedAt: Date? { get }
  /// When the recorded event happened; `nil` for a record of something else. A moment in the future
  /// is refused when the record is added, and noted when it is imported.
  var happenedAt: Date? { get }
  /// The record as commands and pages write it as JSON.
  var output: any Encodable { get }
  /// The remark of an import about this record, if it differs from its document: one clause; `nil`
  /// for none. It is not part of the record.
  var importRemark: String? { get }

  /// Returns whether this version wins over another of the same record: by default, whether a
  /// person edited it later.
  func isNewer(than other: Self) -> Bool

  /// Refuses values that the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  func validate() throws(RuleError)

  /// Returns a remark about words of an app's version that this one, which was edited later, lacks:
  /// one clause; `nil` for none.
  func remark(whenKeptOver app: Self) -> String?
}

extension DeclaredRecord {
  package static var kind: RecordKind { declaration.kind }
  static var documentVersion: Int { declaration.version }

  /// The moment that the kind declares, if any.
  public var happenedAt: Date? { Self.declaration.moment.map { self[keyPath: $0.date] } }

  /// The moment that the kind declares on the clock of its zone, such as `2025-10-25 15:42`; empty
  /// if there is none.
  ///
  /// If that clock shows another time than this machine's, the zone follows: `2025-10-25 15:42
  /// +02:00`.
  public var localText: String {
    Self.declaration.moment.map {
      self[keyPath: $0.date].localText(offset: self[keyPath: $0.offset])
    } ?? ""
  }

  /// The record as an export writes it.
  public var output: any Encodable { self }

  /// By default, no remark.
  public var importRemark: String? { nil }

  /// By default, no remark: what a person edited stays.
  public func remark(whenKeptOver app: Self) -> String? { nil }

  /// Returns whether a person edited this version later than another of the same record.
  ///
  /// An unedited version is never newer, however late it was made: the same file may have been
  /// imported elsewhere, later, without the title that a person gave it here.
  public func isNewer(than other: Self) -> Bool {
    guard let modifiedAt else { return false }
    return other.modifiedAt.map { modifiedAt > $0 } ?? true
  }

  /// Returns the record's latest moment if it is in the future, for example because a clock was
  /// wrong.
  ///
  /// - Parameter now: The time on the clock. Another computer's may be up to a day ahead.
  package func future(at now: Date) -> Date? {
    [createdAt, modifiedAt, happenedAt].compactMap(\.self).max()
      .flatMap { $0 > now.addingTimeInterval(86_400) ? $0 : nil }
  }

  /// Returns the version that was edited last, with the counters of both.
  package func newer(_ other: Self) -> Self {
    isNewer(than: other) ? countingAlso(other) : other.countingAlso(self)
  }

  /// Returns this version with the counters of both.
  package func countingAlso(_ other: Self) -> Self {
    Self.declaration.counters.reduce(into: self) { $1.merge(other, &$0) }
  }

  /// Returns this library's version of a record after another version was merged into it.
  ///
  /// - Parameter other: The other version, whose link names one of this library's recordings.
  package func merged(with other: Self) -> Self {
    let declaration = Self.declaration
    var merged = other.countingAlso(self)
    if !other.isNewer(than: self) {
      merged = countingAlso(other)
      // A link that was removed with its recording, or changed by a merge, is not a user's edit.
      if let link = declaration.link?.path, modifiedAt == other.modifiedAt {
        merged[keyPath: link] = other[keyPath: link] ?? self[keyPath: link]
      }
    }
    return declaration.correcting.map { $0(self, merged) } ?? merged
  }
}

extension KeyedDecodingContainer {
  /// Reads when a person last changed a record; `nil` for never.
  ///
  /// In documents of version 1, an unchanged record has the time at which it was made.
  package func modification(forKey key: Key, since createdAt: Date) throws -> Date? {
    let moment = try decodeIfPresent(Date.self, forKey: key)?.roundedToMillisecond
    return moment == createdAt ? nil : moment
  }
}

extension Int {
  /// Refuses a count that no real record has. SQLite could not add to its largest number.
  package func validateAsCount(_ name: String) throws(RuleError) {
    guard (0...1_000_000_000).contains(self) else {
      throw RuleError("\(name) \(self): a count goes from 0 to 1000000000")
    }
  }
}
