import Foundation
import Holdfast
import Testing

@Suite("Which backups are kept")
struct KeptBackupTests {
  private static let day: TimeInterval = 86_400
  /// A Thursday, on which weeks since 1970 begin.
  private let now = Date(timeIntervalSince1970: 2900 * 604_800 + 40_000)

  private func kept(_ keep: BackupOptions.Keep, days: [Double]) -> [Double] {
    let moments = days.map { now.addingTimeInterval(-$0 * Self.day) }
    let removed = Set(keep.removed(moments))
    return days.indices.filter { !removed.contains($0) }.map { days[$0] }
  }

  @Test("All of a week, one a week for a year, and none older")
  func usual() {
    #expect(
      kept(.usual, days: [30, 29, 28, 10, 9.1, 9, 8, 6, 5, 1, 0.1, 0]) == [
        29, 28, 8, 6, 5, 1, 0.1, 0,
      ])
    #expect(kept(.usual, days: [400]) == [400])
    // Daily backups over two years: 52 or 53 weeks, and the last eight.
    let daily = kept(.usual, days: (0...730).reversed().map(Double.init))
    #expect((58...62).contains(daily.count), "\(daily)")
    for (older, newer) in zip(daily, daily.dropFirst()) { #expect(older - newer <= 7) }
  }

  @Test("After a long pause, or with a clock that is far ahead, the week before it stays")
  func pause() {
    let week = [406.0, 405, 404, 403, 402, 401, 400]
    #expect(kept(.usual, days: week + [0]) == week + [0])
    #expect(kept(.usual, days: week + [0.01, 0]) == week + [0.01, 0])
    // After a new week of backups, the week before the pause is thinned like any other.
    let later = kept(.usual, days: week + [8, 7, 6, 5, 4, 3, 2, 1, 0])
    #expect(later.filter { $0 > 300 }.count < 3, "\(later)")
  }

  @Test("With rare backups too, none is kept for longer than a year", arguments: [8, 14, 30])
  func rare(gap: Double) {
    let days = (0...100).reversed().map { Double($0) * gap }
    let kept = kept(.usual, days: days)
    #expect(kept.allSatisfy { $0 <= 366 })
    #expect(kept.count == Int(366 / gap) + 1)
  }

  @Test("Thinning a thinned history changes nothing, even without its oldest backup")
  func pauses() {
    var days = (0..<40).map { 20 + Double($0) * 9.3 }.reversed() + [0.0]
    days.insert(contentsOf: [900, 860, 855], at: 0)
    let once = kept(.usual, days: days)
    #expect(kept(.usual, days: once) == once)
    // Without the oldest one, all others still stay.
    #expect(kept(.usual, days: Array(once.dropFirst())) == Array(once.dropFirst()))
  }

  @Test("A number keeps the newest, and at least the new one")
  func newest() {
    #expect(kept(.newest(2), days: [9, 8, 7, 0]) == [7, 0])
    #expect(kept(.newest(0), days: [9, 0]) == [0])
    #expect(kept(.newest(9), days: [9, 0]) == [9, 0])
    #expect(kept(.everything, days: [900, 0]) == [900, 0])
  }
}
