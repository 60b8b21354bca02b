internal import Foundation
internal import HoldfastModel

/// A recording as JSON, under the names that its columns have in the catalog, and what it is called.
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

extension Recording {
  /// The first eight characters of the id, by which a person names the recording.
  var shortID: String { String(id.uuidString.prefix(8)) }
}
