public import Foundation

/// A record with the times when it was made and when a person last changed it.
public protocol EditedRecord {
  /// When it was made.
  var createdAt: Date { get }
  /// When a person last changed it; `nil` for never.
  var modifiedAt: Date? { get set }
}

extension EditedRecord {
  /// Sets the time of an edit.
  ///
  /// It is later than every earlier edit, even if the clock was ahead then. Otherwise a merge would
  /// bring the older text back. So after a wrong clock, the number of edits decides.
  ///
  /// - Parameter now: The time on the clock.
  public mutating func setEdited(at now: Date) {
    let next = (modifiedAt ?? createdAt).addingTimeInterval(0.001)
    modifiedAt = min(max(now, next).roundedToMillisecond, .lastMoment)
  }
}

extension Date {
  /// The last moment that a catalog can store: the end of the year 9999.
  static let lastMoment = Date(timeIntervalSince1970: 253_402_300_799.999)
}

extension Recording: EditedRecord {}
