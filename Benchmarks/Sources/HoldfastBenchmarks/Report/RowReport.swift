/// Holdfast's measurements without a rival.
struct Alone {
  /// The flushes for each item.
  var flushes: Double
  /// The memory of the largest process in MB.
  var memory: Double
  /// The most that it may be.
  var mostMemory: Double?
  /// The time on a disk that takes 3 ms for a flush.
  var secondsOnSlowDisk: Double
}

/// Holdfast against one rival.
///
/// Depending on the target, the ratio is how many times as fast Holdfast is, or how many times as
/// long it takes.
struct RowReport: Encodable {
  /// The ratios of the pairs.
  struct Spread: Encodable {
    var lowest: Double
    var highest: Double
  }

  /// The target ratio.
  struct Target: Encodable {
    var atLeast: Double?
    var atMost: Double?
    /// Time that is allowed beside `atMost`.
    var plusSeconds: Double?
  }

  /// The same on a disk that takes 3 ms for a flush.
  struct SlowFlush: Encodable {
    var holdfastSeconds: Double
    var ratio: Double
  }

  /// The row's name.
  var bench: String
  var what: String
  var items: Int
  /// Holdfast's command name.
  var command: String
  var contestant: String
  /// The median.
  var holdfastSeconds: Double
  /// The median.
  var contestantSeconds: Double
  /// "times as fast" or "times as long".
  var ratioIs: String
  /// The median of the pairs.
  var ratio: Double
  var spread: Spread
  var target: Target?
  /// Whether the target was reached; also true if there is none.
  var reached: Bool
  var syncsPerItem: Double
  var mostSyncsPerItem: Double?
  var slowFlush: SlowFlush
  /// The memory of Holdfast's largest process.
  var peakMemoryMB: Double
  var mostMemoryMB: Double?

  /// Whether the ratio says how many times as fast Holdfast is.
  var isFaster: Bool { ratioIs == Self.asFast }

  private static let asFast = "times as fast"
  private static let asLong = "times as long"
}

extension RowReport {
  /// Assembles the measurements.
  init(
    _ row: Row, _ contest: Contest, _ alone: Alone, _ rival: Rival, pairs: Pairs,
    rivalsSecondsOnSlowDisk: Double?
  ) {
    let isFaster = rival.goal.isFaster
    let ratios = isFaster ? pairs.ratios : pairs.ratios.map { 1 / $0 }
    // The median of an even number of reciprocals is not the reciprocal of their median.
    let ratio = isFaster ? median(pairs.ratios) : 1 / median(pairs.ratios)
    let slowRatio = (rivalsSecondsOnSlowDisk ?? pairs.theirs) / alone.secondsOnSlowDisk
    self.init(
      bench: row.rawValue, what: contest.what, items: contest.items, command: contest.ours.name,
      contestant: rival.contestant.name, holdfastSeconds: rounded(pairs.ours, 4),
      contestantSeconds: rounded(pairs.theirs, 4), ratioIs: isFaster ? Self.asFast : Self.asLong,
      ratio: rounded(ratio, 3),
      spread: Spread(
        lowest: rounded(ratios.min() ?? 0, 3), highest: rounded(ratios.max() ?? 0, 3)),
      target: Target(rival.goal), reached: rival.goal.isReached(by: pairs),
      syncsPerItem: rounded(alone.flushes, 2), mostSyncsPerItem: contest.mostFlushes,
      slowFlush: SlowFlush(
        holdfastSeconds: rounded(alone.secondsOnSlowDisk, 4),
        ratio: rounded(isFaster ? slowRatio : 1 / slowRatio, 3)),
      peakMemoryMB: rounded(alone.memory, 1), mostMemoryMB: alone.mostMemory.map { rounded($0, 1) })
  }
}

extension RowReport.Target {
  /// The target of a goal that has one.
  init?(_ goal: Goal) {
    switch goal {
    case .none: return nil
    case .timesAsFast(let times): self.init(atLeast: times)
    case .timesAsLong(let times, plus: 0): self.init(atMost: rounded(times, 3))
    case .timesAsLong(let times, let plus):
      self.init(atMost: rounded(times, 3), plusSeconds: plus)
    }
  }
}
