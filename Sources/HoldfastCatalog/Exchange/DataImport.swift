internal import Foundation
internal import GRDB
internal import HoldfastModel

/// One import of data: what the document says is compared with each row in turn, and written.
///
/// No step depends on what an earlier one wrote; so a dry run, which writes nothing, finds the same.
struct DataImport {
  let db: Database
  let isDryRun: Bool
  var report = DataImportReport()

  init(_ db: Database, isDryRun: Bool) {
    self.db = db
    self.isDryRun = isDryRun
  }

  mutating func take(_ document: ExportDocument) throws {
    let links = try takeRecordings(document.recordings)
    try take(document.cravings, .cravings, as: CravingRow.self) { local, craving in
      Self.merged(local, links.linked(craving))
    }
    try take(document.usage, .usage, as: UsageRow.self) { local, usage in
      guard let local, local.modifiedAt >= usage.modifiedAt else { return usage }
      return local
    }
    try take(document.messages, .messages, as: MessageRow.self, merge: Self.merged)
  }

  private mutating func take<R: CatalogRow>(
    _ elements: [DocumentElement<R.Value>], _ kind: RecordKind, as type: R.Type,
    merge: (_ local: R.Value?, _ value: R.Value) throws -> R.Value
  ) throws where R.Value: DocumentRecord {
    // Made once for a million rows.
    let find = try R.with(UUID()).makePreparedRequest(db).statement
    for value in values(of: elements, kind) {
      guard let row = try R.fetchOne(find, arguments: [value.id.uuidString]) else {
        report.change(kind, value.id, isNew: true)
        if !isDryRun { try R(try merge(nil, value)).insertWhole(db) }
        continue
      }
      let merged = try merge(row.value, value)
      guard merged != row.value else {
        report.count(kind, \.unchanged)
        continue
      }
      report.change(kind, value.id, isNew: false)
      if !isDryRun { try R(merged).updateWhole(db) }
    }
  }

  /// The records that can be taken, each once: of several states of one, that which was changed
  /// last, and of those the last.
  mutating func values<Value>(
    of elements: [DocumentElement<Value>], _ kind: RecordKind
  ) -> [Value] {
    var values: [Value] = []
    var places: [UUID: Int] = [:]
    values.reserveCapacity(elements.count)
    places.reserveCapacity(elements.count)
    for (index, element) in elements.enumerated() {
      switch element {
      case .refused(let id, let reason):
        report.count(kind, \.refused)
        report.items.append(.refused(kind, index: index, id: id, reason: reason))
      case .value(let value):
        guard let place = places[value.id] else {
          places[value.id] = values.count
          values.append(value)
          continue
        }
        report.count(kind, \.unchanged)
        values[place] = values[place].newer(value)
      }
    }
    return values
  }

  private static func merged(_ local: Craving?, _ craving: Craving) -> Craving {
    guard let local, local.modifiedAt >= craving.modifiedAt else { return craving }
    var merged = local
    // The link went with a recording that is back, which is no change that a person made.
    if local.modifiedAt == craving.modifiedAt, local.recordingID == nil {
      merged.recordingID = craving.recordingID
    }
    return merged
  }

  private static func merged(_ local: Message?, _ message: Message) -> Message {
    var merged = local ?? message
    if let local {
      if local.modifiedAt < message.modifiedAt, local.isCustom {
        merged = message
      } else if local.modifiedAt < message.modifiedAt {
        // The words of a default message are this library's.
        merged.isActive = message.isActive
        merged.modifiedAt = message.modifiedAt
      }
      merged.mergeCounters(of: local)
      merged.mergeCounters(of: message)
    }
    // One that this library did not come with is a person's own: a default could never be deleted.
    merged.isCustom = local?.isCustom ?? true
    return merged
  }
}

extension DocumentRecord {
  /// Of two states of one record, that which was changed last, with the counters of both.
  func newer(_ other: Self) -> Self {
    var newer = other.modifiedAt >= modifiedAt ? other : self
    newer.mergeCounters(of: self)
    newer.mergeCounters(of: other)
    return newer
  }
}
