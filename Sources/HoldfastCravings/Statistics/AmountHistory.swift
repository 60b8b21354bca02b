public import Holdfast

/// How much was used over time, by the local days on which it was used.
public struct AmountHistory: Codable, Hashable, Sendable {
  /// The days on which something was used, in order of time, and the methods of a day by name.
  public var byDay: [AmountPoint]

  /// The same by weeks. Each is given by its Monday.
  public var byWeek: [AmountPoint] {
    grouped(by: \.monday)
  }

  /// The same by months. Each is given by its first day.
  public var byMonth: [AmountPoint] {
    grouped { day in (try? Day(day.description.prefix(7) + "-01")) ?? day }
  }

  private func grouped(by first: (Day) -> Day) -> [AmountPoint] {
    var points: [AmountPoint] = []
    var places: [Key: Int] = [:]
    for point in byDay {
      let key = Key(day: first(point.day), method: point.method)
      if let place = places[key] {
        points[place].count += point.count
        points[place].amount += point.amount
      } else {
        places[key] = points.count
        points.append(
          AmountPoint(day: key.day, method: key.method, count: point.count, amount: point.amount))
      }
    }
    return points.sorted { ($0.day, $0.method.rawValue) < ($1.day, $1.method.rawValue) }
  }

  private struct Key: Hashable {
    var day: Day
    var method: UsageMethod
  }
}

/// How much of one method was used on a day, in a week or in a month.
public struct AmountPoint: Codable, Hashable, Sendable {
  /// The first local day of the period.
  public var day: Day
  /// The method.
  public var method: UsageMethod
  /// The number of entries.
  public var count: Int
  /// The sum of their amounts, in the method's unit.
  public var amount: Double
}
