extension Contest {
  /// The head of a table of commands against sqlite3, in milliseconds.
  static let queryTableHead = """
    | command | holdfast | sqlite3 | limit | |
    | --- | --- | --- | --- | --- |
    """

  /// Measures a command against sqlite3, and prints its row.
  ///
  /// - Returns: Whether it is as fast as it should be.
  func printRow(on bench: Workbench) throws -> Bool {
    var isFast = true
    for rival in rivals {
      try bench.warmUp(ours)
      try bench.warmUp(rival.contestant)
      let pairs = try bench.compare(
        ours, rival.contestant, rounds: rounds ?? bench.options.rounds)
      let isReached = rival.goal.isReached(by: pairs)
      isFast = isFast && isReached
      let times = [pairs.ours, pairs.theirs, rival.goal.mostSeconds(pairs.theirs) ?? 0]
        .map { format("%.1f", $0 * 1000) }.joined(separator: " | ")
      print("| `\(what)` | \(times) | \(isReached ? "within" : "OVER") |")
    }
    return isFast
  }
}
