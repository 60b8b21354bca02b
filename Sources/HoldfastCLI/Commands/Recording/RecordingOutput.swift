internal import Foundation
internal import HoldfastModel

/// A recording as JSON: its columns under their names in the catalog, and its display title.
struct RecordingOutput: Encodable {
  private let recording: Recording

  private enum Own: String, CodingKey { case displayTitle }

  init(_ recording: Recording) { self.recording = recording }

  func encode(to encoder: any Encoder) throws {
    try RecordingDocument(recording).encode(to: encoder)
    var values = encoder.container(keyedBy: Own.self)
    try values.encode(recording.displayTitle, forKey: .displayTitle)
  }
}
