public import Foundation

/// The outcome of one source of an import, as JSON.
public struct ImportOutput: Encodable, Sendable {
  /// `imported`, `skipped`, `failed` or `interrupted`.
  public var event: String
  /// The source's path, or an upload's name, escaped for display.
  public var source: String
  /// The recordings that were made from it. A door may also list those that a skipped source
  /// already has.
  public var recordings: [RecordingOutput]?
  /// Warnings for a person about an imported source, a sentence each.
  public var warnings: [String]?
  /// Whether an imported source was removed; `nil` if that was not requested.
  public var moved: Bool?
  /// Why the source was kept.
  public var stays: String?
  /// Why a source was skipped: `duplicate`, `livePhoto`, `proxy`, `unfinished`, `seen`
  /// or `dryRun`.
  public var reason: String?
  /// The recording that was made from a skipped source earlier.
  public var recording: RecordingID?
  /// In a dry run, the earlier source that has the same content as a skipped one.
  public var duplicateOf: String?
  /// The photo that belongs to a skipped movie of a Live Photo.
  public var photo: String?
  /// The recording that a skipped small copy was made from.
  public var original: String?
  /// In a dry run, the plans for a source: one for each recording.
  public var plans: [ConversionPlan]?
  /// The kind of a failure, or of the reason why a source is kept.
  public var code: String?
  /// Why a source was refused.
  public var error: String?
  /// FFmpeg's own last message about a refused source. It helps to find the cause.
  public var detail: String?

  /// Makes the output of a source, without the values that depend on its event.
  public init(_ event: String, source: String) {
    self.event = event
    self.source = source
  }
}
