/// The records of one kind that are linked to a recording.
public struct LinkedRecords: Sendable {
  /// The kind.
  public var kind: RecordKind
  /// What the recording was to the records, such as `helped with`.
  public var role: String
  /// The records, newest first.
  public var records: [any DeclaredRecord]
  /// Whether there are further records.
  public var isMore: Bool

  /// Makes a list of linked records.
  public init(
    kind: RecordKind, role: String, records: [any DeclaredRecord], isMore: Bool
  ) {
    self.kind = kind
    self.role = role
    self.records = records
    self.isMore = isMore
  }
}

extension DeclaredRecord {
  /// The record as one line of text for a recording's list of linked records.
  public var linkedLine: String { Self.declaration.link?.line(self) ?? "" }
}
