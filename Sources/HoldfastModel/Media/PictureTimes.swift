/// When the pictures of a video are shown: all that one needs to know to cut it.
public struct PictureTimes: Codable, Hashable, Sendable {
  /// One tick lasts `numerator / denominator` seconds.
  public var numerator: Int32
  /// One tick lasts `numerator / denominator` seconds.
  public var denominator: Int32
  /// When each picture that is presented is shown, in ticks, in the order in which they are decoded.
  public var shown: [Int64]
  /// Which of ``shown`` are keyframes.
  public var keyframes: [Int]
  /// When the last picture's time is over, in ticks.
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

  /// The keyframes at which packets can be parted: whatever is decoded before is shown before, and
  /// whatever is decoded after is shown after. (At a keyframe with pictures that are decoded after
  /// it, shown before it and refer to what lies before, those would be lost.)
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

  /// Where a copy ends that may last until `limit`: before the first packet, in decode order, whose
  /// picture would stand beyond it.
  ///
  /// To keep packets by their presentation time alone would keep some whose references are gone.
  func copyEnd(within limit: Int64) -> Int64 {
    let next = nextTimes
    var latest: Int64?
    for time in shown {
      guard let over = next[time], over <= limit else { return latest ?? limit }
      latest = max(latest ?? over, over)
    }
    return limit
  }

  /// Where an encode ends that may last until `limit`: with the last picture that is over by then.
  func encodeEnd(within limit: Int64) -> Int64 {
    end <= limit ? limit : nextTimes.values.lazy.filter { $0 <= limit }.max() ?? limit
  }

  /// When the keyframe is shown from which on everything from `time` on can be decoded: the last but
  /// one before it, as pictures around the last may refer to what lies before that.
  func keyframe(before time: Int64) -> Int64? {
    let before = keyframes.filter { shown.indices.contains($0) && shown[$0] <= time }.suffix(2)
    return before.first.map { shown[$0] }
  }

  /// How many pictures a stretch has; those of a copy end with the first, in decode order, that is
  /// shown after it.
  func count(in range: Range<Int64>, ofCopy isCopy: Bool) -> Int {
    let end = isCopy ? shown.firstIndex { $0 >= range.upperBound } ?? shown.count : shown.count
    return shown[..<end].lazy.filter(range.contains).count
  }

  /// When the time of each picture is over: when the next one is shown.
  private var nextTimes: [Int64: Int64] {
    let order = shown.sorted()
    return Dictionary(zip(order, order.dropFirst() + [end]), uniquingKeysWith: { max($0, $1) })
  }
}
