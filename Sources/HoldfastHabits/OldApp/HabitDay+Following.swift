import Foundation
import Holdfast

/// What another app's document says about the count of a day. It is not part of the record.
struct AppCount: Hashable, Sendable {
  /// Whether the document has a count, and not only whether the day is complete; `nil` for a
  /// document of Holdfast.
  var isGiven: Bool?

  static let key = "isCounted"

  static func == (one: AppCount, other: AppCount) -> Bool { true }

  func hash(into hasher: inout Hasher) {}
}

extension AppCount {
  private enum CodingKeys: String, CodingKey { case isCounted }

  init(from decoder: any Decoder) throws {
    isGiven = try decoder.container(keyedBy: CodingKeys.self)
      .decodeIfPresent(Bool.self, forKey: .isCounted)
  }
}

extension HabitDay {
  /// Returns this library's version of a day with that of another app.
  ///
  /// The larger count is kept, and every moment, so nothing is lost that was logged here or in an
  /// earlier document. The goal is the app's only if the count grew: an app gives its goal of today
  /// to all days.
  ///
  /// - Returns: `nil` for an older day, and for one that Holdfast has written, whose newer edit
  ///   wins.
  func following(_ app: HabitDay) -> HabitDay? {
    guard let isGiven = app.count.isGiven, !isNewer(than: app) else { return nil }
    var day = self
    day.createdAt = min(createdAt, app.createdAt)
    day.modifiedAt = app.modifiedAt ?? modifiedAt
    day.difficulty = app.difficulty ?? difficulty
    day.recordingID = app.recordingID ?? recordingID
    let hasGrown = app.progressCount > progressCount && (isGiven || progressCount < goalCount)
    if hasGrown { day.goalCount = app.goalCount }
    let known = actions.map(\.timestamp)
    let all =
      actions
      + app.actions.filter { action in
        !known.contains { $0.isSameMoment(as: action.timestamp) }
      }
    let count = hasGrown ? app.progressCount : progressCount
    day.setProgress(count, actions: Array(all.prefix(min(count, Self.mostActions))))
    return day
  }
}

extension Habit {
  /// Returns this library's version of a habit that was not edited since the app had it.
  ///
  /// The app has a day as a moment, which may lie in the day before or after in this machine's time
  /// zone.
  func followingHabit(_ app: Habit) -> Habit? {
    guard modifiedAt == app.modifiedAt else { return nil }
    var app = app
    if abs(app.startDay.days(since: startDay)) == 1 { app.startDay = startDay }
    if let own = endDay, let end = app.endDay, abs(end.days(since: own)) == 1 { app.endDay = own }
    return try? following(app)
  }
}
