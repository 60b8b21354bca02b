public import Foundation
public import HoldfastCravings
public import HoldfastModel

/// A craving with plain values; tests give the values that matter to them.
public func craving(
  id: UUID = UUID(), at date: Date = noon, intensity: Int = 5, triggers: TriggerSet = [],
  location: Location? = nil, notes: String? = nil, recording: RecordingID? = nil
) throws -> Craving {
  Craving(
    id: id, timestamp: date, intensity: try Intensity(intensity), triggers: triggers,
    location: location, notes: notes, recordingID: recording, createdAt: noon)
}

/// A usage with plain values; tests give the values that matter to them.
public func usage(
  id: UUID = UUID(), at date: Date = noon, method: UsageMethod = .vape, amount: Double = 2,
  triggers: TriggerSet = [], location: Location? = nil, notes: String? = nil
) -> Usage {
  Usage(
    id: id, timestamp: date, method: method, amount: amount, triggers: triggers,
    location: location, notes: notes, createdAt: noon)
}
