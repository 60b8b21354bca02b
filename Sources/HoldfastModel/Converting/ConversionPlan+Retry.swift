extension ConversionPlan {
  /// Returns the plan to try next after this one failed.
  ///
  /// A stream that could not be copied is encoded. A stream that could not be encoded is left out,
  /// if the other one can be kept.
  ///
  /// - Parameter mayEncode: Whether a stream may be encoded if its copy fails. `false` if the
  ///   person asked for a copy.
  /// - Returns: `nil` if there is nothing left to try.
  package func next(
    after error: HoldfastError, of info: MediaInfo, mayEncode: Bool
  ) -> ConversionPlan? {
    if mayEncode, copiesAny, [.checkFailed, .library].contains(error.code) {
      var plan = self
      let streams: [WritableKeyPath<ConversionPlan, Stream?>] = [\.video, \.audio]
      for stream in streams {
        guard let copy = self[keyPath: stream], copy.isCopied,
          error.stream ?? copy.index == copy.index
        else { continue }
        plan[keyPath: stream]?.encodedBecause = "copying failed: \(error.reason)"
      }
      if plan != self { return plan }
    }
    guard [.library, .damaged, .nothingToPlay].contains(error.code) else { return nil }
    switch error.stream {
    case video?.index? where video?.isCopied == false:
      return leavingOut(\.video, "its picture", because: error.reason, of: info)
    case audio?.index? where audio?.isCopied == false:
      return leavingOut(\.audio, "its sound", because: error.reason, of: info)
    default: return nil
    }
  }

  /// Returns this plan without a stream; `nil` if no other stream is kept.
  private func leavingOut(
    _ stream: WritableKeyPath<ConversionPlan, Stream?>, _ name: String, because reason: String,
    of info: MediaInfo
  ) -> ConversionPlan? {
    var plan = self
    plan[keyPath: stream] = nil
    guard let kept = plan.video ?? plan.audio,
      let found = info.streams.first(where: { $0.index == kept.index })
    else { return nil }
    plan.type = plan.video != nil ? .video : .audio
    plan.leftOut = "\(name) cannot be encoded and is left out: \(reason)"
    // A part keeps the times of its stretch, which were chosen for all its streams.
    if plan.stretch == nil, let start = found.start, let duration = found.duration, duration > 0 {
      plan.start = MediaTime(seconds: start)
      plan.duration = duration
    }
    return plan
  }
}

extension MediaTime {
  /// Makes the nearest time in microseconds.
  fileprivate init(seconds: Double) {
    // No recording is this long. A file that claims more is lying.
    let bounded = min(max(seconds, -1e9), 1e9)
    self.init(ticks: Int64((bounded * 1e6).rounded()), numerator: 1, denominator: 1_000_000)
  }
}
