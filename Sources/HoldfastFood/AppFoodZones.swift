import Foundation
import Holdfast

/// The time zones in which the days of an app's diary began, by the days' IDs.
///
/// The app has a day as its midnight on the phone. So that a day is the same wherever it is
/// imported, its time zone is one in which that moment is midnight.
struct AppFoodZones {
  /// The beginning of a day, and its time zone in minutes east of Greenwich.
  private struct Beginning {
    var midnight: Date
    var offset: Int

    var day: Day { Day(of: midnight, offset: offset) }
  }

  /// The days that did not begin at midnight in this machine's time zone.
  private var beginnings: [UUID: Beginning] = [:]

  /// Finds the days that began at midnight elsewhere, and had all their entries in the hours after.
  init(_ reading: inout AppReading) {
    var meals: [UUID: [Date]] = [:]
    for entry in reading.rows["foodentry"] {
      guard let day = entry.values["dailytotal"]?.value,
        let id = reading.id(day, in: "dailytotal"),
        let date = entry.values["timestamp"]?.value.date
      else { continue }
      meals[id, default: []].append(date)
    }
    var empty: [UUID: Beginning] = [:]
    for row in reading.rows["dailytotal"] {
      guard let id = row.values["id"]?.value.uuid,
        case (let midnight, nil)? = row.values["date"]?.value.moment,
        let offset = Self.offset(ofMidnight: midnight)
      else { continue }
      let beginning = Beginning(midnight: midnight, offset: offset)
      // A day may have 25 hours.
      let end = midnight.addingTimeInterval(25 * 3600)
      if let meals = meals[id] {
        if meals.allSatisfy({ $0 > midnight && $0 < end }) { beginnings[id] = beginning }
      } else {
        empty[id] = beginning
      }
    }
    // One moment at a full hour need not be a midnight.
    guard beginnings.count > 1 else {
      beginnings = [:]
      return
    }
    // The clocks may have been changed between two days.
    let known = Set(beginnings.values.map(\.offset))
    for (id, day) in empty where known.contains(where: { abs($0 - day.offset) <= 60 }) {
      beginnings[id] = day
    }
  }

  /// Returns the day with an ID; `nil` if it began at midnight here, or names its own time zone.
  func day(_ id: UUID?) -> Day? { id.flatMap { beginnings[$0]?.day } }

  /// Returns the time zone of an entry in a day; `nil` if it is this machine's.
  func offset(of moment: Date, in day: UUID) -> Int? {
    guard let beginning = beginnings[day] else { return nil }
    // The clocks may have been put back since midnight.
    return [beginning.offset, beginning.offset - 60]
      .first { Day(of: moment, offset: $0) == beginning.day }
  }

  /// Returns the offset at which a moment is midnight; `nil` if it is midnight here, or nowhere.
  private static func offset(ofMidnight moment: Date) -> Int? {
    guard let seconds = Int(exactly: moment.timeIntervalSince1970), seconds.isMultiple(of: 900)
    else { return nil }
    let minutes = seconds % 86_400 / 60
    // At noon in UTC it is midnight only at the date line.
    guard (minutes + moment.localOffset) % 1440 != 0, minutes != 720 else { return nil }
    // From Hawaii to New Zealand in summer.
    return minutes < 660 ? -minutes : 1440 - minutes
  }
}
