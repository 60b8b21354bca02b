public import Foundation
public import Holdfast

extension FaithJournal {
  /// Returns devotionals, newest day first.
  ///
  /// - Parameters:
  ///   - isOpen: Whether only those are returned that are not completed.
  ///   - recording: Only those of this recording.
  ///   - limit: The most devotionals to return.
  ///   - offset: How many to skip first.
  public func devotionals(
    open isOpen: Bool = false, recording: RecordingID? = nil, limit: Int? = nil, offset: Int = 0
  ) throws -> [Devotional] {
    var conditions = ["1"]
    var arguments: [SQLValue] = []
    if isOpen { conditions.append("completedAt IS NULL") }
    if let recording {
      conditions.append("recordingId = ?")
      arguments.append(.text(recording.uuidString))
    }
    return try page(
      "WHERE \(conditions.joined(separator: " AND ")) ORDER BY day DESC, id", arguments,
      limit: limit, offset: offset)
  }

  /// Marks a devotional as completed, or as not completed. One that is already stays as it is.
  @discardableResult
  public func complete(
    devotional id: UUID, _ isCompleted: Bool = true, now: Date = Date()
  ) throws -> Devotional {
    try library.write { db in
      if let devotional = try db.record(Devotional.self, id: id),
        devotional.isCompleted == isCompleted
      {
        return devotional
      }
      return try db.edit(Devotional.self, id: id, now: now) {
        $0.completedAt = isCompleted ? now.roundedToMillisecond : nil
      }
    }
  }
}
