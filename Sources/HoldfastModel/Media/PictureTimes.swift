/// When the pictures of a video are shown. This is all that is needed to cut the video.
public struct PictureTimes: Codable, Hashable, Sendable {
  /// The numerator of a tick's length: one tick lasts `numerator / denominator` seconds.
  public var numerator: Int32
  /// The denominator of a tick's length: one tick lasts `numerator / denominator` seconds.
  public var denominator: Int32
  /// When each presented picture is shown, in ticks, in decode order.
  public var shown: [Int64]
  /// The positions of the keyframes in ``shown``.
  public var keyframes: [Int]
  /// When the last picture stops being shown, in ticks.
  public var end: Int64

  /// Makes the times of a video's pictures.
  public init(
    numerator: Int32, denominator: Int32, shown: [Int64], keyframes: [Int], end: Int64
  ) {
    self.numerator = numerator
    self.denominator = denominator
    self.shown = shown
    self.keyframes = keyframes
    self.end = end
  }

  /// The times of the keyframes at which the packets can be split.
  ///
  /// Everything decoded before such a keyframe is shown before it, and everything decoded after it
  /// is shown after it. At other keyframes, some pictures are decoded after the keyframe but shown
  /// before it, and refer to earlier pictures. A split would lose them.
  var cleanKeyframes: [Int64] {
    var earliestAfter = [Int64](repeating: .max, count: shown.count + 1)
    for position in shown.indices.reversed() {
      earliestAfter[position] = min(earliestAfter[position + 1], shown[position])
    }
    var latestBefore = Int64.min
    var clean: [Int64] = []
    var position = 0
    for keyframe in keyframes where shown.indices.contains(keyframe) && keyframe >= position {
      latestBefore = max(latestBefore, shown[position..<keyframe].max() ?? .min)
      position = keyframe
      if latestBefore < shown[keyframe], earliestAfter[keyframe] == shown[keyframe] {
        clean.append(shown[keyframe])
      }
    }
    return clean
  }

  /// Returns where a copy ends that may last until `limit`: before the first packet, in decode
  /// order, whose picture would still be shown after `limit`.
  ///
  /// Choosing packets by their presentation time alone would keep some whose reference pictures are
  /// gone.
  func copyEnd(within limit: Int64) -> Int64 {
    let next = nextTimes
    var latest: Int64?
    for time in shown {
      guard let over = next[time], over <= limit else { return latest ?? limit }
      latest = max(latest ?? over, over)
    }
    return limit
  }

  /// Returns where an encode ends that may last until `limit`: at the end of the last picture that
  /// is over by then.
  func encodeEnd(within limit: Int64) -> Int64 {
    end <= limit ? limit : nextTimes.values.lazy.filter { $0 <= limit }.max() ?? limit
  }

  /// Returns the time of the keyframe from which to decode everything that is shown from `time` on.
  ///
  /// This is the last keyframe but one, because pictures around the last keyframe may refer to
  /// earlier ones.
  func keyframe(before time: Int64) -> Int64? {
    let before = keyframes.filter { shown.indices.contains($0) && shown[$0] <= time }.suffix(2)
    return before.first.map { shown[$0] }
  }

  /// Returns the number of pictures in a stretch. A copy ends before the first picture, in decode
  /// order, that is shown after the stretch.
  func count(in range: Range<Int64>, ofCopy isCopy: Bool) -> Int {
    let end = isCopy ? shown.firstIndex { $0 >= range.upperBound } ?? shown.count : shown.count
    return shown[..<end].lazy.filter(range.contains).count
  }

  /// The time at which each picture stops being shown, by the time at which it starts. A picture
  /// stops when the next one starts.
  private var nextTimes: [Int64: Int64] {
    let order = shown.sorted()
    return Dictionary(zip(order, order.dropFirst() + [end]), uniquingKeysWith: { max($0, $1) })
  }
}
