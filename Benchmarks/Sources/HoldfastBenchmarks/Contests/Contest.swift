/// The same work done by Holdfast and by other programs, with the targets.
struct Contest {
  /// The work, as the table names it.
  var what: String
  /// How many files or queries it has.
  var items: Int
  var ours: Contestant
  var rivals: [Rival]
  /// The number of pairs, if it differs from the options'.
  var rounds: Int?
  /// The most flushes an item.
  var mostFlushes: Double?
  /// The most memory in MB.
  var mostMemory: Double?
  /// The most memory, as a multiple of the first rival's.
  var mostMemoryRatio: Double?
}

/// Another program, and how Holdfast should compare with it.
struct Rival {
  var contestant: Contestant
  /// How Holdfast should compare with it.
  var goal: Goal
  /// Whether it requests flushes; if not, it is as fast on any disk.
  var flushes = false

  /// Makes a rival of a command.
  init(_ name: String, _ goal: Goal, _ command: [String]) {
    self.init(Contestant(name: name, command: command), goal)
  }

  /// Makes a rival of a contestant.
  init(_ contestant: Contestant, _ goal: Goal, flushes: Bool = false) {
    self.contestant = contestant
    self.goal = goal
    self.flushes = flushes
  }
}

/// How Holdfast should compare with a rival.
enum Goal {
  /// No target.
  case none
  /// Holdfast should be at least this many times as fast.
  case timesAsFast(Double)
  /// Holdfast may take this many times as long, and this many seconds more.
  case timesAsLong(Double, plus: Double = 0)

  /// Whether the ratio says how many times as fast Holdfast is, not how many times as long it
  /// takes.
  var isFaster: Bool {
    if case .timesAsLong = self { false } else { true }
  }

  /// The most seconds that Holdfast may take if the rival takes `theirs`.
  func mostSeconds(_ theirs: Double) -> Double? {
    if case .timesAsLong(let times, let plus) = self { theirs * times + plus } else { nil }
  }

  /// Whether Holdfast is as fast as it should be.
  func isReached(by pairs: Pairs) -> Bool {
    let ratio = median(pairs.ratios)
    switch self {
    case .none: return true
    case .timesAsFast(let least): return ratio >= least
    case .timesAsLong(let most, plus: 0): return 1 / ratio <= most
    case .timesAsLong(let most, let plus): return pairs.ours <= pairs.theirs * most + plus
    }
  }
}
