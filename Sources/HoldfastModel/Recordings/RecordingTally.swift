/// How often something was done with a recording.
public struct RecordingTally: Codable, Hashable, Sendable {
  /// The recording.
  public var id: RecordingID
  /// The name that is shown for the recording.
  public var displayTitle: String
  /// How often it was done.
  public var count: Int

  /// Makes a tally.
  public init(id: RecordingID, displayTitle: String, count: Int) {
    self.id = id
    self.displayTitle = displayTitle
    self.count = count
  }

  package init(_ recording: Recording, count: Int) {
    self.init(id: recording.id, displayTitle: recording.displayTitle, count: count)
  }
}
