public import Foundation

/// A recording as JSON, as the command and the web show it: its columns under their names in the
/// catalog, and its display title.
public struct RecordingOutput: Encodable, Sendable {
  private let recording: Recording

  private enum Own: String, CodingKey { case displayTitle }

  /// The recording's identity.
  public var id: RecordingID { recording.id }

  /// Makes the JSON of a recording.
  public init(_ recording: Recording) { self.recording = recording }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws {
    try RecordingDocument(recording).encode(to: encoder)
    var values = encoder.container(keyedBy: Own.self)
    try values.encode(recording.displayTitle, forKey: .displayTitle)
  }
}
