public import Foundation
public import Holdfast

/// Something that a person logs: a craving or a usage.
public protocol LoggedEntry: JournalRecord {
  /// When it happened.
  var timestamp: Date { get set }
  /// The time zone in which it was logged, in minutes east of Greenwich at that moment.
  var timestampOffset: Int { get set }
  /// The triggers that went with it.
  var triggers: TriggerSet { get set }
  /// Where the person was.
  var location: Location? { get set }
  /// The notes that the person wrote.
  var notes: String? { get set }
}

extension ChildTable {
  /// The triggers of an entry, in the vocabulary's order.
  static func triggers(of table: String) -> ChildTable {
    ChildTable(
      "\(table)Trigger", owner: "\(table)Id", list: "triggers", of: .value("trigger"), position: nil
    )
  }
}
