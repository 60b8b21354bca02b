public import Foundation
import Holdfast

extension FaithJournal {
  /// Returns plans, by their start, newest first.
  public func plans(limit: Int? = nil, offset: Int = 0) throws -> [ReadingPlan] {
    try page(RecordList("readingPlan", last: "startDay"), limit: limit, offset: offset)
  }

  /// Marks a reading of a plan, by its position from 0, as read or as not read. Without a
  /// difference, nothing changes.
  ///
  /// - Throws: `HoldfastError` when the plan has no such reading.
  @discardableResult
  public func read(
    _ position: Int, of id: UUID, _ isDone: Bool = true, now: Date = Date()
  ) throws -> ReadingPlan {
    try change(id, now: now) { (plan: inout ReadingPlan) in
      guard plan.dailyReadings.indices.contains(position) else {
        throw RuleError(
          "the plan has \(plan.dailyReadings.count) readings from \(plan.startDate), one a day; "
            + "none is number \(position &+ 1)")
      }
      guard (plan.dailyReadings[position].doneAt != nil) != isDone else { return }
      plan.dailyReadings[position].doneAt = isDone ? now.roundedToMillisecond : nil
    }
  }
}
