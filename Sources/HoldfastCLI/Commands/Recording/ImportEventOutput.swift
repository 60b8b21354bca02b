internal import Foundation
internal import Holdfast
internal import HoldfastConsole
internal import HoldfastModel

struct ImportEventOutput: Encodable {
  var event: String
  var source: String
  var recordings: [RecordingOutput]?
  var warnings: [String]?
  /// Whether an imported source was removed; `nil` if that was not requested.
  var moved: Bool?
  /// The reason why it was kept.
  var stays: String?
  /// Why a source was skipped.
  var reason: String?
  /// The recording that was made from a skipped source earlier.
  var recording: RecordingID?
  /// In a dry run, the earlier source that has the same content as a skipped one.
  var duplicateOf: String?
  /// The photo that belongs to a skipped movie of a Live Photo.
  var photo: String?
  /// In a dry run, what would be done with a source: one plan for each recording.
  var plans: [ConversionPlan]?
  /// The kind of a failure, or of the reason why a source is kept.
  var code: String?
  /// Why a source was refused.
  var error: String?

  /// Makes the output for an event; `nil` for events that only a terminal shows.
  init?(_ event: ImportEvent) {
    switch event {
    case .discovered, .converting: return nil
    case .imported(let item, let recordings, let warnings, let fate):
      self.event = "imported"
      source = item.displayPath
      self.recordings = recordings.map(RecordingOutput.init)
      self.warnings = warnings
      switch fate {
      case .untouched: break
      case .moved: moved = true
      case .stays(let stay):
        moved = false
        stays = stay.reason
        code = stay.code.rawValue
      }
    case .skipped(let item, .duplicate(let id)):
      self.event = "skipped"
      source = item.displayPath
      reason = "duplicate"
      recording = id
    case .skipped(let item, .repetition(let first)):
      self.event = "skipped"
      source = item.displayPath
      reason = "duplicate"
      duplicateOf = first.displayPath
    case .skipped(let item, .livePhoto(let photo)):
      self.event = "skipped"
      source = item.displayPath
      reason = "livePhoto"
      self.photo = photo
    case .skipped(let item, .dryRun(let plans)):
      self.event = "skipped"
      source = item.displayPath
      reason = "dryRun"
      self.plans = plans
    case .failed(let item, let failure):
      self.event = "failed"
      source = item.displayPath
      code = failure.code.rawValue
      error = failure.explained
    case .interrupted(let item):
      self.event = "interrupted"
      source = item.displayPath
    }
  }
}
