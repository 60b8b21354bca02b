/// A kind of record, such as cravings.
///
/// The kinds that every library has are listed here. A ``Journal`` adds others.
public struct RecordKind: Sendable, Encodable {
  /// The name of the kind's list in an export, and of its table: a plural in ASCII letters, such as
  /// `cravings`.
  public let name: String
  /// The name for one record, such as `craving`.
  public let singular: String

  /// Makes a kind from its names.
  public init(_ name: String, singular: String) {
    self.name = name
    self.singular = singular
  }

  /// Recordings, without their files.
  public static let recordings = RecordKind("recordings", singular: "recording")
  /// Cravings.
  public static let cravings = RecordKind("cravings", singular: "craving")
  /// Usage.
  public static let usage = RecordKind("usage", singular: "usage")
  /// Messages, including those that came with the library.
  public static let messages = RecordKind("messages", singular: "message")

  /// Writes the kind's name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(name)
  }

  /// Returns a number of records in words, such as `1 craving`.
  public func text(_ count: Int) -> String { "\(count) \(count == 1 ? singular : name)" }
}

extension RecordKind: Hashable {
  /// Compares the names of the lists, which identify the kinds.
  public static func == (one: RecordKind, other: RecordKind) -> Bool { one.name == other.name }

  /// Hashes the name of the list.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
