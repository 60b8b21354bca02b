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
    modifiedAt = now.after(modifiedAt ?? createdAt)
  }
}

extension Date {
  /// Returns this moment, or if it is not later than another one, the moment after that: one
  /// millisecond later, as far as a catalog can store it.
  package func after(_ last: Date) -> Date {
    min(max(self, last.addingTimeInterval(0.001)).roundedToMillisecond, .lastMoment)
  }

  /// The last moment that a catalog can store: the end of the year 9999.
  static let lastMoment = Date(timeIntervalSince1970: 253_402_300_799.999)
}

extension Recording: EditedRecord {}
