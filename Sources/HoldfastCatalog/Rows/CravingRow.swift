internal import Foundation
internal import GRDB
internal import HoldfastModel

/// A craving as a row of the table `craving`.
struct CravingRow: EntryRow {
  static let databaseTableName = "craving"

  enum Columns {
    static let id = Column("id")
    static let timestamp = Column("timestamp")
    static let timestampOffset = Column("timestampOffset")
    static let intensity = Column("intensity")
    static let location = Column("location")
    static let notes = Column("notes")
    static let recordingId = Column("recordingId")
    static let createdAt = Column("createdAt")
    static let modifiedAt = Column("modifiedAt")
  }

  var value: Craving
  var triggers: TriggerSet { value.triggers }

  init(_ value: Craving) { self.value = value }

  init(row: Row) throws {
    value = Craving(
      id: try row.value(Columns.id, UUID.init(stored:)),
      timestamp: try row.value(Columns.timestamp),
      timestampOffset: try row.value(Columns.timestampOffset, as: Int.self),
      intensity: try row.value(Columns.intensity, as: Int.self) { try? Intensity($0) },
      triggers: try row.triggers(),
      location: try row.optionalValue(Columns.location) { try? Location($0) },
      notes: try row.optionalValue(Columns.notes),
      recordingID: try row.optionalValue(Columns.recordingId, UUID.init(uuidString:)),
      createdAt: try row.value(Columns.createdAt))
    value.modifiedAt = try row.optionalValue(Columns.modifiedAt, as: Date.self)?
      .roundedToMillisecond
  }

  func encode(to container: inout PersistenceContainer) throws {
    try value.validate()
    container[Columns.id] = value.id.uuidString
    container[Columns.timestamp] = value.timestamp.roundedToMillisecond
    container[Columns.timestampOffset] = value.timestampOffset
    container[Columns.intensity] = value.intensity.value
    container[Columns.location] = value.location?.text
    container[Columns.notes] = value.notes?.nonBlank
    container[Columns.recordingId] = value.recordingID?.uuidString
    container[Columns.createdAt] = value.createdAt.roundedToMillisecond
    container[Columns.modifiedAt] = value.modifiedAt?.roundedToMillisecond
  }
}

extension CravingQuery {
  /// The rows that match the query, in no order.
  var matches: QueryInterfaceRequest<CravingRow> {
    typealias Columns = CravingRow.Columns
    var request = CravingRow.all()
    if let since { request = request.filter(Columns.timestamp >= since.roundedToMillisecond) }
    if let until { request = request.filter(Columns.timestamp < until.roundedToMillisecond) }
    if let minimum { request = request.filter(sql: "+intensity >= ?", arguments: [minimum.value]) }
    if let trigger { request = request.filter(literal: CravingRow.having(trigger)) }
    if let recording { request = request.filter(Columns.recordingId == recording.uuidString) }
    return request
  }

  /// Returns the periods in which to scan for a trigger, because no index has such rows in order.
  func periods(first count: Int = EntryPeriods.longest) -> EntryPeriods? {
    trigger.map { _ in
      EntryPeriods(of: CravingRow.databaseTableName, since: since, until: until, first: count)
    }
  }

  /// The rows that match the query, newest first.
  var list: RowList<CravingRow> {
    RowList(matches: matches, terms: EntryPeriods.order(), periods: periods(first: 1000))
  }
}
