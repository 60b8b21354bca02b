public import Foundation

/// A use that a person logged.
public struct Usage: Codable, Hashable, Sendable, Identifiable {
  /// The usage's identity.
  public var id: UUID
  /// When it was, to the millisecond.
  public var timestamp: Date
  /// The form in which it was used.
  public var method: UsageMethod
  /// The amount, in the method's unit.
  public var amount: Double
  /// The triggers that went with it.
  public var triggers: TriggerSet
  /// Where the person was.
  public var location: Location?
  /// What the person wrote about it.
  public var notes: String?
  /// When it was logged.
  public var createdAt: Date
  /// When a person last changed it.
  public var modifiedAt: Date

  /// Makes a usage. Dates are rounded to the millisecond, and blank notes become `nil`.
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

  /// Refuses values that the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  public func validate() throws(RuleError) {
    try method.validate(amount)
    try location?.validate()
    try Entry.validate(notes: notes)
  }
}
