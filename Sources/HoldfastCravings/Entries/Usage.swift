public import Foundation
public import Holdfast

/// A use that a person logged.
public struct Usage: LoggedEntry {
  /// The usage's identity.
  public var id: UUID
  /// When it happened, to the millisecond.
  public var timestamp: Date
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  public var timestampOffset: Int
  /// The form in which it was used.
  public var method: UsageMethod
  /// The amount, in the method's unit.
  public var amount: Double
  /// The triggers that went with it.
  public var triggers: TriggerSet
  /// Where the person was.
  public var location: Location?
  /// The notes that the person wrote.
  public var notes: String?
  /// When it was logged.
  public var createdAt: Date
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date?

  /// Makes a usage. Dates are rounded to the millisecond, and blank notes become `nil`. Without a
  /// time zone, it was logged in that of this machine.
  public init(
    id: UUID = UUID(), timestamp: Date, timestampOffset: Int? = nil, method: UsageMethod,
    amount: Double, triggers: TriggerSet = [], location: Location? = nil, notes: String? = nil,
    createdAt: Date
  ) {
    self.id = id
    self.timestamp = timestamp.roundedToMillisecond
    self.timestampOffset = timestampOffset ?? timestamp.localOffset
    self.method = method
    self.amount = amount
    self.triggers = triggers
    self.location = location
    self.notes = notes?.nonBlank
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Reads a usage from JSON. Documents of version 1 have no time zones: this machine's is used.
  ///
  /// - Throws: `DecodingError` or `RuleError` if a value cannot be read.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(UUID.self, forKey: .id),
      timestamp: try values.decode(Date.self, forKey: .timestamp),
      timestampOffset: try values.decodeIfPresent(Int.self, forKey: .timestampOffset),
      method: try values.decode(UsageMethod.self, forKey: .method),
      amount: try values.decode(Double.self, forKey: .amount),
      triggers: try values.decode(TriggerSet.self, forKey: .triggers),
      location: try values.decodeIfPresent(Location.self, forKey: .location),
      notes: try values.decodeIfPresent(String.self, forKey: .notes),
      createdAt: try values.decode(Date.self, forKey: .createdAt))
    modifiedAt = try values.modification(forKey: .modifiedAt, since: createdAt)
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try method.validate(amount)
    try location?.validate()
    try Entry.validate(notes: notes)
    try Entry.validate(offset: timestampOffset)
  }
}

extension Usage {
  /// Usage.
  public static let declaration = RecordDeclaration<Usage>(
    RecordKind("usage", singular: "usage"), version: 2, table: "usage",
    children: [.triggers(of: "usage")], moment: RecordMoment(\.timestamp, \.timestampOffset),
    csv: .withDates([
      .init("timestamp", \.timestamp), .init("timestampOffset", \.timestampOffset),
      .init("method", \.method), .init("amount", \.amount),
      .init("triggers") { .words($0.triggers.list.map(\.rawValue)) },
      .init("location") { .text($0.location?.text) }, .init("notes", \.notes),
    ]), labelled: .entry)
}
