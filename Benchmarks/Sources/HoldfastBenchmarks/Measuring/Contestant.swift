/// A program, and its measured work.
struct Contestant {
  /// The name in the table.
  var name: String
  /// The program and its arguments.
  var command: [String]
  /// A step before each run, whose time does not count.
  var before: (() throws -> Void)?
  /// A shorter command to warm up, if one run is long.
  var warmUp: [String]?
}

/// The times of two contestants that ran in turn.
struct Pairs {
  /// The median of the first one's seconds.
  var ours: Double
  /// The median of the second one's seconds.
  var theirs: Double
  /// The second one's seconds divided by the first one's, for each pair.
  var ratios: [Double]
}

extension Workbench {
  /// Runs a contestant, with words before its command, and returns its seconds.
  func seconds(_ contestant: Contestant, under prefix: [String] = []) throws -> Double {
    try contestant.before?()
    return try run(prefix + contestant.command).seconds
  }

  /// Runs a contestant once, so that its program and inputs are in memory.
  func warmUp(_ contestant: Contestant) throws {
    try contestant.before?()
    try run(contestant.warmUp ?? contestant.command)
  }

  /// Runs both in turn, so that a busy machine is busy for both. Who is first changes each time.
  func compare(_ ours: Contestant, _ theirs: Contestant, rounds: Int) throws -> Pairs {
    var first: [Double] = []
    var second: [Double] = []
    for round in 0..<rounds {
      if round.isMultiple(of: 2) { first.append(try seconds(ours)) }
      second.append(try seconds(theirs))
      if !round.isMultiple(of: 2) { first.append(try seconds(ours)) }
    }
    return Pairs(
      ours: median(first), theirs: median(second), ratios: zip(second, first).map { $0 / $1 })
  }
}

/// The middle one of the numbers, or the mean of the two in the middle.
func median(_ numbers: [Double]) -> Double {
  let sorted = numbers.sorted()
  let middle = sorted.count / 2
  return sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
}
