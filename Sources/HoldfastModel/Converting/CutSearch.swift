/// Finds the cuts that divide something too long into parts of about the same length.
struct CutSearch {
  /// Where it starts, in ticks.
  let start: Int64
  /// Where it ends, in ticks.
  let end: Int64
  /// The longest that a part may last, in ticks; more than 0.
  let longest: Int64

  /// The cuts between the fewest possible parts, if a cut may be anywhere.
  var anywhere: [Int64] {
    let length = end - start
    let count = (length + longest - 1) / longest
    guard count > 1 else { return [] }
    return (1..<count).map { start + length / count * $0 + length % count * $0 / count }
  }

  /// Returns the cuts between the fewest possible parts, each at one of `places`.
  ///
  /// Each cut is as close as possible to where it would divide the rest into equal parts.
  ///
  /// - Parameter places: Where a cut may be, in ticks, in rising order.
  /// - Returns: `nil` if two places are further apart than a part may last.
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

  /// Returns the earliest place for each cut that still leaves as few parts as possible after it.
  private func earliestCuts(at places: [Int64]) -> [Int64]? {
    var cuts: [Int64] = []
    var next = end
    while next - start > longest {
      // Places rise, so this is the first one that is close enough to `next`.
      guard let place = places.first(where: { $0 >= next - longest }), place < next else {
        return nil
      }
      cuts.append(place)
      next = place
    }
    return cuts.reversed()
  }
}
