/// Everything that is known about a recording as JSON, with a list for each kind of linked record.
public struct RecordingDetails: Encodable {
  private let recording: Recording
  private let files: RecordingFileState
  private let thumbnail: ThumbnailRecord?
  private let sound: SoundProfile?
  private let links: [LinkedRecords]

  private enum Own: String, CodingKey { case thumbnail, sound }

  /// Makes the JSON.
  ///
  /// - Parameters:
  ///   - recording: The recording.
  ///   - files: The state of its files.
  ///   - thumbnail: How its thumbnail was made; `nil` if that is not known.
  ///   - sound: The measurements of its sound; `nil` if it was not measured.
  ///   - links: The records that name it.
  public init(
    _ recording: Recording, files: RecordingFileState, thumbnail: ThumbnailRecord?,
    sound: SoundProfile?, links: [LinkedRecords]
  ) {
    self.recording = recording
    self.files = files
    self.thumbnail = thumbnail
    self.sound = sound
    self.links = links
  }

  /// Writes the JSON.
  public func encode(to encoder: any Encoder) throws {
    try RecordingOutput(recording).encode(to: encoder)
    try files.encode(to: encoder)
    var values = encoder.container(keyedBy: Own.self)
    try values.encodeIfPresent(thumbnail, forKey: .thumbnail)
    let figures = sound.map { ["loudness": $0.loudness, "truePeak": $0.truePeak] }
    try values.encodeIfPresent(figures?.compactMapValues(\.self), forKey: .sound)
    // There has always been a list of cravings.
    var lists = ["cravings": [AnyOutput]()]
    for kind in links { lists[kind.kind.name] = kind.records.map { AnyOutput($0.output) } }
    try lists.encode(to: encoder)
  }

  private struct AnyOutput: Encodable {
    private let value: any Encodable

    init(_ value: any Encodable) { self.value = value }

    func encode(to encoder: any Encoder) throws { try value.encode(to: encoder) }
  }
}
