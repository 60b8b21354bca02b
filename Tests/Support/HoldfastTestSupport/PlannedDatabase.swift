package import HoldfastModel
package import Testing

/// A catalog that keeps SQLite's plan of each statement.
///
/// Its lists are empty. For a later page, it first answers as if a full page had been read.
///
/// - SeeAlso: https://sqlite.org/eqp.html
package final class PlannedDatabase: RecordDatabase {
  private let database: any RecordDatabase
  private var isLater: Bool
  /// The steps of each statement, in order.
  private var plans: [[String]] = []

  private init(_ database: any RecordDatabase, isLater: Bool) {
    self.database = database
    self.isLater = isLater
  }

  /// Expects that a list is read in the order of an index: nothing is sorted, and no table is read
  /// from one end to the other without an index.
  ///
  /// - Parameters:
  ///   - list: The list. Its first page and a later one are checked.
  ///   - index: A part of the index's name.
  ///   - database: A catalog.
  ///   - location: The expectation's place in the test.
  package static func expectWalk(
    of list: RecordList, by index: String, in database: any RecordDatabase,
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    for isLater in [false, true] {
      let planned = PlannedDatabase(database, isLater: isLater)
      _ = try list.ids(limit: nil, in: planned)
      // A later page needs several statements: the others are for rows with the same time.
      #expect(planned.plans.count >= (isLater ? 2 : 1), sourceLocation: location)
      for plan in planned.plans { expectNoSorting(plan, location) }
      #expect(
        planned.plans.last?.first?.contains(index) == true, "\(list): \(planned.plans)",
        sourceLocation: location)
    }
  }

  /// Expects that a statement's plan sorts nothing, and scans no table without an index.
  package static func expectNoSorting(
    _ plan: [String], _ location: SourceLocation = #_sourceLocation
  ) {
    for step in plan {
      #expect(!step.contains("TEMP B-TREE"), "\(plan)", sourceLocation: location)
      let isScan = step.hasPrefix("SCAN") && !step.contains("USING")
      #expect(!isScan, "\(plan)", sourceLocation: location)
    }
  }

  package func rows(_ sql: String, _ arguments: [SQLValue]) throws -> [SQLRow] {
    plans.append(try database.plan(of: sql, arguments))
    guard isLater, sql.hasSuffix("LIMIT ?"), let limit = arguments.last?.integer else { return [] }
    isLater = false
    plans = []
    let row = SQLRow((0..<8).map { "term\($0)" }, Array(repeating: .text(""), count: 8))
    return Array(repeating: row, count: limit)
  }

  package func rows(_ sql: String, named arguments: [String: SQLValue]) throws -> [SQLRow] {
    try database.rows(sql, named: arguments)
  }

  package func requireEnabled<Value: JournalRecord>(_ type: Value.Type) throws {
    try database.requireEnabled(type)
  }

  package func execute(_ sql: String, _ arguments: [SQLValue]) throws -> Int {
    try database.execute(sql, arguments)
  }

  package func record<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Value? {
    try database.record(type, id: id)
  }

  package func records<Value: JournalRecord>(
    _ type: Value.Type, clause: String, arguments: [SQLValue]
  ) throws -> [Value] {
    try database.records(type, clause: clause, arguments: arguments)
  }

  package func insert<Value: JournalRecord>(_ record: Value) throws { try database.insert(record) }
  package func update<Value: JournalRecord>(_ record: Value) throws { try database.update(record) }

  package func delete<Value: JournalRecord>(_ type: Value.Type, id: Value.ID) throws -> Bool {
    try database.delete(type, id: id)
  }
}

extension RecordDatabase {
  /// Returns SQLite's steps to find a statement's rows.
  package func plan(of sql: String, _ arguments: [SQLValue]) throws -> [String] {
    try rows("EXPLAIN QUERY PLAN \(sql)", arguments).compactMap(\.["detail"].text)
  }
}
