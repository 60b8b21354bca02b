public import HoldfastModel

extension ImportOutput {
  /// Makes the output for an event of an import; `nil` for events that only pages and terminals
  /// show.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - explain: Returns a failure's sentence, with the door's remedy.
  public init?(_ event: ImportEvent, explaining explain: (HoldfastError) -> String) {
    switch event {
    case .discovered, .converting: return nil
    case .imported(let item, let recordings, let warnings, let fate):
      self.init("imported", source: item.displayPath)
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
    case .skipped(let item, let reason):
      self.init("skipped", source: item.displayPath)
      skip(for: reason)
    case .failed(let item, let failure):
      self.init("failed", source: item.displayPath)
      code = failure.code.rawValue
      error = explain(failure)
      detail = failure.detail
    case .interrupted(let item):
      self.init("interrupted", source: item.displayPath)
    }
  }

  private mutating func skip(for reason: SkipReason) {
    switch reason {
    case .duplicate(let recording):
      self.reason = "duplicate"
      self.recording = recording
    case .repetition(let first):
      self.reason = "duplicate"
      duplicateOf = first.displayPath
    case .livePhoto(let photo):
      self.reason = "livePhoto"
      self.photo = photo
    case .proxy(let original):
      self.reason = "proxy"
      self.original = original
    case .unfinished: self.reason = "unfinished"
    case .seen: self.reason = "seen"
    case .dryRun(let plans):
      self.reason = "dryRun"
      self.plans = plans
    }
  }
}
