public import Foundation

/// A craving that a person logged.
public struct Craving: Codable, Hashable, Sendable, Identifiable {
  /// The craving's identity.
  public var id: UUID
  /// When it came, to the millisecond.
  public var timestamp: Date
  /// How strong it was.
  public var intensity: Intensity
  /// What brought it on.
  public var triggers: TriggerSet
  /// Where the person was.
  public var location: Location?
  /// What the person wrote about it.
  public var notes: String?
  /// The recording that helped.
  public var recordingID: RecordingID?
  /// When it was logged.
  public var createdAt: Date
  /// When a person last changed it.
  public var modifiedAt: Date

  /// The names of the columns.
  private enum CodingKeys: String, CodingKey {
    case id, timestamp, intensity, triggers, location, notes
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes a craving. Dates are rounded to the millisecond, and blank notes become `nil`.
  public init(
    id: UUID = UUID(), timestamp: Date, intensity: Intensity, triggers: TriggerSet = [],
    location: Location? = nil, notes: String? = nil, recordingID: RecordingID? = nil,
    createdAt: Date
  ) {
    self.id = id
    self.timestamp = timestamp.roundedToMillisecond
    self.intensity = intensity
    self.triggers = triggers
    self.location = location
    self.notes = notes?.nonBlank
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
    self.modifiedAt = createdAt.roundedToMillisecond
  }

  /// Refuses values that the catalog would refuse.
  ///
  /// - Throws: ``RuleError``.
  public func validate() throws(RuleError) {
    try location?.validate()
    try Entry.validate(notes: notes)
  }
}
