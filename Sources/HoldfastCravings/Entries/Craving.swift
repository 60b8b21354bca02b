public import Foundation
public import Holdfast

/// A craving that a person logged.
public struct Craving: LoggedEntry {
  /// The craving's identity.
  public var id: UUID
  /// When it came, to the millisecond.
  public var timestamp: Date
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  public var timestampOffset: Int
  /// How strong it was.
  public var intensity: Intensity
  /// The triggers that brought it on.
  public var triggers: TriggerSet
  /// Where the person was.
  public var location: Location?
  /// The notes that the person wrote.
  public var notes: String?
  /// The recording that helped.
  public var recordingID: RecordingID?
  /// When it was logged.
  public var createdAt: Date
  /// When a person last changed it; `nil` for never.
  public var modifiedAt: Date?

  private enum CodingKeys: String, CodingKey {
    case id, timestamp, timestampOffset, intensity, triggers, location, notes
    case recordingID = "recordingId"
    case createdAt, modifiedAt
  }

  /// Makes a craving. Dates are rounded to the millisecond, and blank notes become `nil`. Without a
  /// time zone, it was logged in that of this machine.
  public init(
    id: UUID = UUID(), timestamp: Date, timestampOffset: Int? = nil, intensity: Intensity,
    triggers: TriggerSet = [], location: Location? = nil, notes: String? = nil,
    recordingID: RecordingID? = nil, createdAt: Date
  ) {
    self.id = id
    self.timestamp = timestamp.roundedToMillisecond
    self.timestampOffset = timestampOffset ?? timestamp.localOffset
    self.intensity = intensity
    self.triggers = triggers
    self.location = location
    self.notes = notes?.nonBlank
    self.recordingID = recordingID
    self.createdAt = createdAt.roundedToMillisecond
  }

  /// Reads a craving from JSON. Documents of version 1 have no time zones: this machine's is used.
  ///
  /// - Throws: `DecodingError` or `RuleError` if a value cannot be read.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      id: try values.decode(UUID.self, forKey: .id),
      timestamp: try values.decode(Date.self, forKey: .timestamp),
      timestampOffset: try values.decodeIfPresent(Int.self, forKey: .timestampOffset),
      intensity: try values.decode(Intensity.self, forKey: .intensity),
      triggers: try values.decode(TriggerSet.self, forKey: .triggers),
      location: try values.decodeIfPresent(Location.self, forKey: .location),
      notes: try values.decodeIfPresent(String.self, forKey: .notes),
      recordingID: try values.decodeIfPresent(RecordingID.self, forKey: .recordingID),
      createdAt: try values.decode(Date.self, forKey: .createdAt))
    modifiedAt = try values.modification(forKey: .modifiedAt, since: createdAt)
  }

  /// Refuses values that the catalog would refuse.
  public func validate() throws(RuleError) {
    try location?.validate()
    try Entry.validate(notes: notes)
    try Entry.validate(offset: timestampOffset)
  }
}

extension Craving {
  /// Cravings, with the recording that helped.
  public static let declaration = RecordDeclaration<Craving>(
    RecordKind("cravings", singular: "craving"), version: 2, table: "craving",
    children: [.triggers(of: "craving")], moment: RecordMoment(\.timestamp, \.timestampOffset),
    link: RecordingLink(\.recordingID, role: "helped with") { "\($0.localText)  \($0.line)" },
    csv: .withDates([
      .init("timestamp", \.timestamp), .init("timestampOffset", \.timestampOffset),
      .init("intensity", \.intensity.value),
      .init("triggers") { .words($0.triggers.list.map(\.rawValue)) },
      .init("location") { .text($0.location?.text) }, .init("notes", \.notes),
      .init("recordingId", \.recordingID),
    ]), labelled: .entry)
}
