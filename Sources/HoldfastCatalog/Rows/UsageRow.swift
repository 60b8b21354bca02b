internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A usage as a row of the table `usage`.
struct UsageRow: EntryRow {
  static let databaseTableName = "usage"

  enum Columns {
    static let id = Column("id")
    static let timestamp = Column("timestamp")
    static let timestampOffset = Column("timestampOffset")
    static let method = Column("method")
    static let amount = Column("amount")
    static let location = Column("location")
    static let notes = Column("notes")
    static let createdAt = Column("createdAt")
    static let modifiedAt = Column("modifiedAt")
  }

  var value: Usage
  var triggers: TriggerSet { value.triggers }

  init(_ value: Usage) { self.value = value }

  init(row: Row) throws {
    value = Usage(
      id: try row.value(Columns.id, UUID.init(stored:)),
      timestamp: try row.value(Columns.timestamp),
      timestampOffset: try row.value(Columns.timestampOffset, as: Int.self),
      method: try row.value(Columns.method, UsageMethod.init(rawValue:)),
      amount: try row.value(Columns.amount),
      triggers: try row.triggers(),
      location: try row.optionalValue(Columns.location) { try? Location($0) },
      notes: try row.optionalValue(Columns.notes),
      createdAt: try row.value(Columns.createdAt))
    value.modifiedAt = try row.optionalValue(Columns.modifiedAt, as: Date.self)?
      .roundedToMillisecond
  }

  func encode(to container: inout PersistenceContainer) throws {
    try value.validate()
    container[Columns.id] = value.id.uuidString
    container[Columns.timestamp] = value.timestamp.roundedToMillisecond
    container[Columns.timestampOffset] = value.timestampOffset
    container[Columns.method] = value.method.rawValue
    container[Columns.amount] = value.amount
    container[Columns.location] = value.location?.text
    container[Columns.notes] = value.notes?.nonBlank
    container[Columns.createdAt] = value.createdAt.roundedToMillisecond
    container[Columns.modifiedAt] = value.modifiedAt?.roundedToMillisecond
  }
}

extension UsageQuery {
  /// The rows that match the query, in no order.
  var matches: QueryInterfaceRequest<UsageRow> {
    typealias Columns = UsageRow.Columns
    var request = UsageRow.all()
    if let since { request = request.filter(Columns.timestamp >= since.roundedToMillisecond) }
    if let until { request = request.filter(Columns.timestamp < until.roundedToMillisecond) }
    if let method { request = request.filter(Columns.method == method.rawValue) }
    if let trigger { request = request.filter(literal: UsageRow.having(trigger)) }
    return request
  }

  /// Returns the periods in which to scan for a trigger, because no index has such rows in order.
  func periods(first count: Int = EntryPeriods.longest) -> EntryPeriods? {
    trigger.map { _ in
      EntryPeriods(of: UsageRow.databaseTableName, since: since, until: until, first: count)
    }
  }

  /// The rows that match the query, newest first.
  var list: RowList<UsageRow> {
    RowList(matches: matches, terms: EntryPeriods.order(), periods: periods(first: 1000))
  }
}
