/// Looks for the places at which something too long is cut into parts of about the same length.
struct CutSearch {
  /// Where it starts, in ticks.
  let start: Int64
  /// Where it ends, in ticks.
  let end: Int64
  /// How long a part may last, in ticks; more than 0.
  let longest: Int64

  /// The cuts between the fewest parts that will do, where any place is right.
  var anywhere: [Int64] {
    let length = end - start
    let count = (length + longest - 1) / longest
    guard count > 1 else { return [] }
    return (1..<count).map { start + length / count * $0 + length % count * $0 / count }
  }

  /// The cuts between the fewest parts that will do, each at one of `places` and as close as can be
  /// to where the rest would fall into equal parts.
  ///
  /// - Parameter places: Where a cut may be, in ticks, in rising order.
  /// - Returns: `nil` if two places lie further apart than a part may last.
  func cuts(at places: [Int64]) -> [Int64]? {
    let places = places.filter { start < $0 && $0 < end }
    guard let earliest = earliestCuts(at: places) else { return nil }
    var cuts: [Int64] = []
    var last = start
    for (number, first) in earliest.enumerated() {
      let partsLeft = Int64(earliest.count - number) + 1
      let ideal = last + (end - last) / partsLeft
      let allowed = places.filter { max(first, last + 1) <= $0 && $0 <= last + longest }
      guard let best = allowed.min(by: { abs($0 - ideal) < abs($1 - ideal) }) else { break }
      cuts.append(best)
      last = best
    }
    return cuts
  }

  /// For each cut, how early it may be at the earliest, so that as few parts as possible follow.
  private func earliestCuts(at places: [Int64]) -> [Int64]? {
    var cuts: [Int64] = []
    var next = end
    while next - start > longest {
      // Places rise: the first that reaches `next`.
      guard let place = places.first(where: { $0 >= next - longest }), place < next else {
        return nil
      }
      cuts.append(place)
      next = place
    }
    return cuts.reversed()
  }
}
