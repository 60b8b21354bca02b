public import Foundation

/// Something that a person used, and logged.
public struct Usage: Codable, Hashable, Sendable, Identifiable {
  /// The usage's identity.
  public var id: UUID
  /// When it was, to the millisecond.
  public var timestamp: Date
  /// In which form.
  public var method: UsageMethod
  /// How much, in the method's unit.
  public var amount: Double
  /// What went with it.
  public var triggers: TriggerSet
  /// Where the person was.
  public var location: Location?
  /// What the person wrote about it.
  public var notes: String?
  /// When it was logged.
  public var createdAt: Date
  /// When a person last changed it.
  public var modifiedAt: Date

  /// Makes a usage; dates are rounded to the millisecond, and blank notes are none.
  public init(
    id: UUID = UUID(), timestamp: Date, method: UsageMethod, amount: Double,
    triggers: TriggerSet = [], location: Location? = nil, notes: String? = nil, createdAt: Date
  ) {
    self.id = id
    self.timestamp = timestamp.roundedToMillisecond
    self.method = method
    self.amount = amount
    self.triggers = triggers
    self.location = location
    self.notes = notes?.nonBlank
    self.createdAt = createdAt.roundedToMillisecond
    self.modifiedAt = createdAt.roundedToMillisecond
  }

  /// Refuses what the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  public func validate() throws(RuleError) {
    try method.validate(amount)
    try location?.validate()
    try Entry.validate(notes: notes)
  }
}
