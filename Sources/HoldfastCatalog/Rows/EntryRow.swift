internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A row with triggers, which are in their own table, named after the row's table.
protocol EntryRow: CatalogRow {
  var triggers: TriggerSet { get }
}

extension EntryRow {
  /// All columns, and the triggers as one comma-separated text.
  static var databaseSelection: [any SQLSelectable] {
    let table = databaseTableName
    return [
      .allColumns,
      SQL(
        sql: """
          (SELECT group_concat(trigger) FROM \(table)Trigger WHERE \(table)Id = \(table).id)
          AS triggers
          """),
    ]
  }

  func insertWhole(_ db: Database) throws {
    try insert(db)
    try insertTriggers(db)
  }

  func updateWhole(_ db: Database) throws {
    try update(db)
    let table = Self.databaseTableName
    try db.execute(
      sql: """
        DELETE FROM \(table)Trigger
        WHERE \(table)Id = ? AND trigger NOT IN (SELECT value FROM json_each(?))
        """, arguments: [value.id.keyText, jsonList(triggers.list.map(\.rawValue))])
    if db.changesCount > 0 { try db.setCompactionDue() }
    try insertTriggers(db)
  }

  private func insertTriggers(_ db: Database) throws {
    let table = Self.databaseTableName
    let insert = try db.cachedStatement(
      sql: """
        INSERT INTO \(table)Trigger (trigger, \(table)Id) VALUES (?, ?) ON CONFLICT DO NOTHING
        """)
    for trigger in triggers.list {
      try insert.execute(arguments: [trigger.rawValue, value.id.keyText])
    }
  }

  /// Returns the condition that a row has a trigger.
  ///
  /// Another index gives the rows in order, and each one's trigger is looked up.
  static func having(_ trigger: Trigger) -> SQL {
    let table = databaseTableName
    return SQL(
      sql: """
        EXISTS (SELECT 1 FROM \(table)Trigger WHERE trigger = ? AND \(table)Id = \(table).id)
        """, arguments: [trigger.rawValue])
  }
}

extension Row {
  /// Reads the triggers from ``EntryRow/databaseSelection``.
  func triggers() throws -> TriggerSet {
    let text = try optionalValue(Column("triggers"), as: String.self) ?? ""
    return try TriggerSet(
      text.split(separator: ",").map { word in
        guard let trigger = Trigger(rawValue: String(word)) else {
          throw RowDefect.unreadable(
            String.fromDatabaseValue(self["id"]), column: "triggers", value: String(word))
        }
        return trigger
      })
  }
}
