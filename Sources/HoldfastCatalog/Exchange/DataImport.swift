internal import Foundation
internal import GRDB
internal import HoldfastModel

/// One import of data, which compares the document with each row in turn and writes the result.
///
/// No step depends on what an earlier step wrote. So a dry run, which writes nothing, finds the
/// same.
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
      guard let local, !usage.isNewer(than: local) else { return usage }
      return local
    }
    try take(document.messages, .messages, as: MessageRow.self, merge: Self.merged)
  }

  private mutating func take<R: CatalogRow>(
    _ elements: [DocumentElement<R.Value>], _ kind: RecordKind, as type: R.Type,
    merge: (_ local: R.Value?, _ value: R.Value) throws -> R.Value
  ) throws where R.Value: DocumentRecord {
    // Prepared once, because there may be a million rows.
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

  /// Returns the records that can be taken, each once.
  ///
  /// If the document has several versions of a record, the one changed last wins, and among equals
  /// the last one.
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
    guard let local, !craving.isNewer(than: local) else { return craving }
    var merged = local
    // The link was removed with its recording, which is back now. That was not a person's change.
    if local.modifiedAt == craving.modifiedAt, local.recordingID == nil {
      merged.recordingID = craving.recordingID
    }
    return merged
  }

  private static func merged(_ local: Message?, _ message: Message) -> Message {
    var merged = local ?? message
    if let local {
      if message.isNewer(than: local), local.isCustom {
        merged = message
      } else if message.isNewer(than: local) {
        // A default message keeps this library's text.
        merged.isActive = message.isActive
        merged.modifiedAt = message.modifiedAt
      }
      merged.mergeCounters(of: local)
      merged.mergeCounters(of: message)
    }
    // A message that did not come with this library is a person's own: defaults cannot be deleted.
    merged.isCustom = local?.isCustom ?? true
    return merged
  }
}

extension DocumentRecord {
  /// Returns the version that was changed last, with the counters of both merged.
  func newer(_ other: Self) -> Self {
    var newer = isNewer(than: other) ? self : other
    newer.mergeCounters(of: self)
    newer.mergeCounters(of: other)
    return newer
  }
}
