public import Foundation

extension ConversionPlan {
  /// Decides how to convert the source that `info` describes, by the rules of docs/media.md.
  ///
  /// - Parameters:
  ///   - info: The measured description of the source.
  ///   - options: The person's choices.
  ///   - creationTime: The time at which the source begins. Each part is written with its own time.
  /// - Returns: One plan for each recording that is made from the source, in order of time.
  /// - Throws: ``HoldfastError`` in the same cases as ``init(for:options:creationTime:)``. A source
  ///   that is too long is refused unless `options` say otherwise.
  public static func parts(
    of info: MediaInfo, options: ConversionOptions = ConversionOptions(), creationTime: Date? = nil
  ) throws(HoldfastError) -> [ConversionPlan] {
    let whole = try whole(info, options, creationTime: creationTime)
    guard whole.duration > RecordingLimit.longest else { return [whole] }
    let cutting = Cutting(info, whole)
    switch options.overLimit {
    case .refuse: throw .overLimit(seconds: whole.duration)
    case .trim: return [cutting.trimmed()]
    case .split:
      // A file that claims to last for weeks would become thousands of parts.
      guard whole.duration <= longestSplit else {
        throw HoldfastError(
          .cannotSplit, "\(whole.duration.tenthsRoundedUp) s long; at most a day can be split")
      }
      return try cutting.split(mayEncode: options.video != .copy)
    }
  }

  /// The longest source that is split, in seconds: a day.
  private static let longestSplit = 86_400.0
}

private struct Cutting {
  /// The most seconds that a trimmed recording may lose because of its last picture.
  ///
  /// A picture that would be shown beyond the cap is left out. If that costs more than this, the
  /// picture is kept, but shown for a shorter time.
  private static let mostLost = 1.0

  private let info: MediaInfo
  private let whole: ConversionPlan
  /// The clock on which cuts are made. It is the pictures' clock, so that each cut is exactly at a
  /// picture.
  private let clock: MediaTime
  private let search: CutSearch

  init(_ info: MediaInfo, _ whole: ConversionPlan) {
    self.info = info
    self.whole = whole
    clock =
      info.pictures.map {
        MediaTime(ticks: 0, numerator: $0.numerator, denominator: $0.denominator)
      } ?? whole.start
    let start = Self.ticks(whole.start.seconds, clock)
    search = CutSearch(
      start: start, end: start + Self.ticks(whole.duration, clock),
      longest: max(1, Self.ticks(RecordingLimit.seconds, clock)))
  }

  /// Returns the plan for the first 120 s.
  func trimmed() -> ConversionPlan {
    let limit = search.start + search.longest
    var until = limit
    if let pictures = info.pictures {
      let end =
        whole.video?.isCopied == true
        ? pictures.copyEnd(within: limit) : pictures.encodeEnd(within: limit)
      if limit - end <= Self.ticks(Self.mostLost, clock) { until = end }
    }
    var plan = part(from: nil, until: until)
    plan.stretch?.isAlone = true
    return plan
  }

  /// Returns plans for parts of at most 120 s: as few as possible, and about equally long.
  ///
  /// Copied pictures are cut at keyframes. If the keyframes are too far apart, the picture is
  /// encoded.
  func split(mayEncode: Bool) throws(HoldfastError) -> [ConversionPlan] {
    guard let pictures = info.pictures else { return parts(of: whole, cutAt: search.anywhere) }
    if whole.video?.isCopied == true {
      if let cuts = search.cuts(at: places(pictures.cleanKeyframes, of: pictures)) {
        return parts(of: whole, cutAt: cuts)
      }
      let reason = "it has no keyframe where it must be cut"
      guard mayEncode else { throw .cannotCopy(because: reason) }
      var encoded = whole
      encoded.video?.encodedBecause = reason
      return try Cutting(info, encoded).split(mayEncode: true)
    }
    guard let cuts = search.cuts(at: places(pictures.shown.sorted(), of: pictures)) else {
      throw HoldfastError(
        .cannotSplit,
        "\(whole.duration.tenthsRoundedUp) s long, and one of its pictures is shown for more than "
          + "\(RecordingLimit.seconds.tenthsRoundedUp) s, so it cannot be split")
    }
    return parts(of: whole, cutAt: cuts)
  }

  /// Returns where a cut may be: at the given pictures, and at every second that has only sound.
  private func places(_ pictures: [Int64], of video: PictureTimes) -> [Int64] {
    let second = max(1, Self.ticks(1, clock))
    let first = video.shown.min() ?? search.end
    let before = stride(from: search.start + second, to: min(first, search.end), by: Int(second))
    let after = stride(from: max(video.end, search.start), to: search.end, by: Int(second))
    return Array(before) + pictures + Array(after)
  }

  private func parts(of plan: ConversionPlan, cutAt cuts: [Int64]) -> [ConversionPlan] {
    let bounds: [Int64?] = [nil] + cuts.map { $0 } + [nil]
    return zip(bounds, bounds.dropFirst()).map { part(from: $0, until: $1) }
      .filter { $0.video != nil || $0.audio != nil }
  }

  /// Returns the plan for a stretch, with only the streams that are present in it.
  private func part(from: Int64?, until: Int64?) -> ConversionPlan {
    let start = from ?? search.start
    let range = start..<max(start, until ?? search.end)
    let (shown, heard) = (seen(in: range), heard(in: range))
    let spans = [shown, heard].compactMap { $0 }
    let begin = spans.map(\.lowerBound).min() ?? range.lowerBound
    let end = spans.map(\.upperBound).max() ?? range.upperBound

    var part = whole
    part.stretch = ConversionPlan.Stretch(from: from.map(time), until: until.map(time))
    part.stretch?.decodingFrom = from.flatMap { info.pictures?.keyframe(before: $0) }.map(time)
    part.start = begin == search.start ? whole.start : time(begin)
    part.duration = Double(end - begin) * Self.seconds(clock)
    let offset = Double(begin - search.start) * Self.seconds(clock)
    part.creationTime = whole.creationTime?.addingTimeInterval(offset)
    if shown == nil { part.video = nil }
    part.video?.pictures = info.pictures?.count(
      in: range, ofCopy: whole.video?.isCopied == true)
    if heard == nil { part.audio = nil }
    part.type = part.video == nil ? .audio : .video
    return part
  }

  /// Returns the span of a stretch in which there are pictures; `nil` if none begins in it.
  private func seen(in range: Range<Int64>) -> Range<Int64>? {
    guard let pictures = info.pictures,
      let first = pictures.shown.lazy.filter(range.contains).min()
    else { return nil }
    return first..<max(first, min(pictures.end, range.upperBound))
  }

  /// Returns the span of a stretch in which there is sound; `nil` if it lasts at most
  /// ``RecordingLimit/padding``, which an encoder may have added.
  private func heard(in range: Range<Int64>) -> Range<Int64>? {
    guard let sound = info.audioStream else { return nil }
    guard let start = sound.start, let duration = sound.duration else { return range }
    let heard = Self.ticks(start, clock)..<Self.ticks(start + max(0, duration), clock)
    let overlap = heard.clamped(to: range)
    return Double(overlap.count) * Self.seconds(clock) > RecordingLimit.padding ? overlap : nil
  }

  private func time(_ ticks: Int64) -> MediaTime {
    var time = clock
    time.ticks = ticks
    return time
  }

  private static func seconds(_ clock: MediaTime) -> Double {
    Double(clock.numerator) / Double(clock.denominator)
  }

  /// Converts seconds to ticks. The result is bounded, because a file may claim anything.
  private static func ticks(_ seconds: Double, _ clock: MediaTime) -> Int64 {
    let ticks = (seconds / Self.seconds(clock)).rounded()
    return ticks.isNaN ? 0 : Int64(max(-0x1p60, min(ticks, 0x1p60)))
  }
}
