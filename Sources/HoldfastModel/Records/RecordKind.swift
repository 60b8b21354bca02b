/// A kind of record, such as cravings.
///
/// Every library has recordings. A ``Journal`` adds other kinds.
public struct RecordKind: Sendable, Encodable {
  /// The name of the kind's list in an export, and of its table: a plural in ASCII letters, such as
  /// `cravings`.
  public let name: String
  /// The name for one record, such as `craving`.
  public let singular: String
  /// The name for several records, for people: `cravings`.
  public let plural: String

  /// Makes a kind from its names. The plural is the list's name unless it is given.
  public init(_ name: String, singular: String, plural: String? = nil) {
    self.name = name
    self.singular = singular
    self.plural = plural ?? name
  }

  /// Recordings, without their files.
  public static let recordings = RecordKind("recordings", singular: "recording")

  /// Writes the kind's name.
  public func encode(to encoder: any Encoder) throws { try name.encode(to: encoder) }

  /// Returns a number of records in words, such as `1 craving`.
  public func text(_ count: Int) -> String { "\(count) \(count == 1 ? singular : plural)" }
}

extension RecordKind: Hashable {
  /// Compares the names of the lists, which identify the kinds.
  public static func == (one: RecordKind, other: RecordKind) -> Bool { one.name == other.name }

  /// Hashes the name of the list.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
