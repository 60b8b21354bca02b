import Foundation
import GRDB
import HoldfastModel

/// One import of data, which compares the document with each row in turn and writes the result.
///
/// No step depends on an earlier step's writes. So a dry run, which writes nothing, finds the same.
struct DataImport {
  let db: Database
  let isDryRun: Bool
  let now: Date
  var report: DataImportReport
  enum Origin {
    case document(ExportDocument)
    case app(ExportDocument, ImportedApp)
    /// The catalog of another library, whose recordings are merged already, and those of them that
    /// this library lacked.
    case library(Catalog, added: Set<RecordingID>)
  }

  let origin: Origin
  /// How many records of each kind came before those that are imported now.
  private var offsets: [RecordKind: Int] = [:]
  /// Returns the hash of a photo's file that is in the library, or comes with its row.
  var photos: (UUID) throws -> SHA256Digest? = { _ in nil }
  /// The catalog's recordings that the document or the other library has under another ID, by that
  /// ID. Recordings are imported first.
  var twins: [RecordingID: RecordingID] = [:]
  /// The recordings of the document or of the other library whose ID another recording has here.
  var namesakes: Set<RecordingID> = []
  /// Those of them that were not known until now as what the document means.
  var joined: Set<RecordingID> = []
  /// The catalog's recordings that the document has.
  var own: Set<RecordingID> = []
  /// The records of some kinds that are in the catalog or in the document.
  var known: [RecordKind: Set<String>] = [:]
  /// The records that were refused although they can be read.
  var refused: [RecordKind: Set<String>] = [:]

  /// How many records of the kind that is being imported lost a reference, by its column.
  var unlinked: [String: Int] = [:]
  /// The records that came.
  var added: [RecordKind: Set<String>] = [:]
  /// The app's records that were deleted here, and those that belong to one.
  private var deleted: [RecordKind: Set<String>] = [:]

  /// The labels of the words that an app's records have.
  private var labels: [RecordKind: Set<String>] = [:]
  private var uniqueKeys: [RecordKind: UniqueKeys] = [:]
  /// When an app last had this library's and the other library's versions of the records.
  private var appVersions: [RecordKind: (own: [String: Date], other: [String: Date])] = [:]
  private let statements = InsertStatements()

  init(
    _ origin: Origin, in db: Database, kinds: [any StoredKind], isDryRun: Bool, now: Date
  ) {
    self.origin = origin
    self.db = db
    self.isDryRun = isDryRun
    self.now = now
    report = DataImportReport(kinds.map(\.kind))
  }

  /// Imports records: new ones are added, and the others are merged.
  mutating func importRecords<Value: JournalRecord>(_ elements: [DocumentElement<Value>]) throws {
    let declaration = Value.declaration
    let kind = declaration.kind
    var keys = try uniqueKeys.removeValue(forKey: kind) ?? UniqueKeys(of: declaration, db)
    defer { uniqueKeys[kind] = keys }
    try readAppVersions(of: kind)
    unlinked = [:]
    deleted[kind] = nil
    defer {
      reportUnlinked(kind)
      reportDeleted(kind)
    }
    var rest = try values(of: elements)[...]
    while !rest.isEmpty {
      try importBatch(rest.prefix(Self.batchLimit), &keys)
      rest = rest.dropFirst(Self.batchLimit)
    }
    if !isDryRun { try removeReferences(to: refused[kind] ?? [], in: declaration) }
  }

  private static let batchLimit = 5000

  /// Imports records in one savepoint.
  ///
  /// A journal's table may have rules that its declaration does not know. If a record breaks one,
  /// the batch is written again with a savepoint for each record, and only that record is refused.
  private mutating func importBatch<Value: JournalRecord>(
    _ records: ArraySlice<(index: Int, value: Value)>, _ keys: inout UniqueKeys
  ) throws {
    if isDryRun { return try importRecords(records, &keys) }
    let before = (self, keys)
    do {
      try db.inSavepoint {
        try importRecords(records, &keys)
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      (self, keys) = before
      try importRecords(records, &keys, isEachInSavepoint: true)
    }
  }

  private mutating func importRecords<Value: JournalRecord>(
    _ records: ArraySlice<(index: Int, value: Value)>, _ keys: inout UniqueKeys,
    isEachInSavepoint: Bool = false
  ) throws {
    let declaration = Value.declaration
    let kind = declaration.kind
    // Prepared once, because there may be many rows. Most are new, and GRDB reads a single value
    // faster than a row.
    let exists = try db.cachedStatement(
      sql: "SELECT 1 FROM \(declaration.table) WHERE \(declaration.key) = ?")
    let find = try JournalRow<Value>.filter(JournalRow<Value>.key == "").makePreparedRequest(db)
      .statement
    for (index, value) in records {
      let key = value.id.keyText
      do {
        let hasRow = try Bool.fetchOne(exists, arguments: [key]) == true
        let local = hasRow ? try JournalRow<Value>.fetchOne(find, arguments: [key])?.value : nil
        if local == nil, wasDeleted(value) {
          deleted[kind, default: []].insert(key)
          known[kind]?.remove(key)
          report.count(kind, \.unchanged)
          continue
        }
        let value = try referring(linked(value, to: local))
        let merged =
          try local.map { try merge($0, with: value, key) }
          ?? declaration.correcting.map { $0(nil, value) } ?? value
        if case .app = origin, let local, local.isNewer(than: value),
          let text = local.remark(whenKeptOver: value)
        {
          report.remark(kind, at: index, id: key, text)
        }
        guard merged != local else {
          isLinkedNow(value, local)
            ? report.change(kind, key, isNew: false) : report.count(kind, \.unchanged)
          try setAppVersion(key, of: value, after: local, isKept: true)
          continue
        }
        let record = try encoded(merged, for: key, claiming: &keys)
        if declaration.isPhoto, !hasRow { try requireFile(of: record, key) }
        try write(record, isNew: local == nil, inSavepoint: isEachInSavepoint)
        try setAppVersion(key, of: value, after: local)
        if local == nil { added[kind, default: []].insert(key) }
        report.change(kind, key, isNew: local == nil)
        report.remark(on: value, at: index, id: key, now: now)
        if case .app = origin, let local, local.modifiedAt == value.modifiedAt,
          let text = declaration.labelled?.remark(onKeeping: local, in: value)
        {
          report.remark(kind, at: index, id: key, text)
        }
      } catch let refusal as Refusal {
        refused[kind, default: []].insert(key)
        known[kind]?.remove(key)
        report.count(kind, \.refused)
        report.items.append(
          .refused(kind, index: index, id: key.cut(to: 40), reason: refusal.reason))
      }
    }
  }

  /// Whether a record that the library lacks was deleted here after it had come from the app, or
  /// belongs to one that was. A later change that the app dates brings it back.
  private func wasDeleted<Value: JournalRecord>(_ record: Value) -> Bool {
    guard case .app(_, let app) = origin, !app.isFromHoldfast, !app.includesDeleted else {
      return false
    }
    let declaration = Value.declaration
    let belongs = declaration.references.contains { reference in
      guard reference.isNeeded, let key = reference.key(record) else { return false }
      return deleted[reference.target.kind]?.contains(key) == true
    }
    if belongs { return true }
    guard let imported = appVersions[declaration.kind]?.own[record.id.keyText] else {
      return false
    }
    return record.modifiedAt.map { $0 <= imported } ?? true
  }

  private mutating func reportDeleted(_ kind: RecordKind) {
    guard let count = deleted[kind]?.count else { return }
    report.notes.append(
      "\(kind.text(count)) deleted here, left out; import-app --deleted imports what was deleted")
  }

  /// Returns the labels of the words that any of the app's records has.
  private mutating func saidLabels<Value: DeclaredRecord>(of type: Value.Type) -> Set<String> {
    guard let labelled = Value.declaration.labelled, case .app(let document, _) = origin else {
      return []
    }
    let kind = Value.declaration.kind
    if let labels = labels[kind] { return labels }
    var said: Set<String> = []
    for case .value(let record) in document[type] { said.formUnion(labelled.labels(of: record)) }
    labels[kind] = said
    return said
  }

  private mutating func readAppVersions(of kind: RecordKind) throws {
    guard appVersions[kind] == nil else { return }
    switch origin {
    case .document, .app: appVersions[kind] = (try db.appVersions(of: kind), [:])
    case .library(let other, _):
      appVersions[kind] = (
        try db.appVersions(of: kind), try other.read { try $0.appVersions(of: kind) }
      )
    }
  }

  /// Stores when an app last had the imported version of a record, unless a newer edit here is kept
  /// as it is.
  private func setAppVersion<Value: DeclaredRecord>(
    _ key: String, of value: Value, after local: Value?, isKept: Bool = false
  ) throws {
    guard !isDryRun, let versions = appVersions[Value.declaration.kind] else { return }
    let time: Date? =
      switch origin {
      case .document: nil
      case .app(_, let app):
        app.isFromHoldfast || isKept && local?.isNewer(than: value) == true ? nil : now
      case .library: versions.other[key]
      }
    guard let time else { return }
    try setAppVersion(of: Value.declaration.kind, key, time, after: versions.own[key])
  }

  /// Stores when an app last had a record's version. A new import is later than the one before,
  /// whatever the clock says.
  func setAppVersion(
    of kind: RecordKind, _ key: String, _ time: Date, after last: Date?
  ) throws {
    var time = time
    if case .app = origin, let last { time = max(time, last.addingTimeInterval(0.001)) }
    guard time > last ?? .distantPast else { return }
    try db.setAppVersion(of: kind, key, importedAt: time)
  }

  private mutating func merge<Value: JournalRecord>(
    _ local: Value, with other: Value, _ key: String
  ) throws -> Value {
    var (local, other) = (local, other)
    switch origin {
    case .app(_, let app):
      // The link was left out when the app's recording was not known, which is not an edit.
      if let link = Value.declaration.link?.path, local[keyPath: link] == nil,
        let id = other[keyPath: link], joined.contains(id)
      {
        local[keyPath: link] = id
      }
      let kind = Value.declaration.kind
      // The kinds that have a union compare their moments themselves.
      if Value.declaration.union == nil {
        other = try local.knowing(other, assumed: app.assumed[kind]?[key] ?? [])
      }
      // What a document of Holdfast says may have been undone here since.
      let since = app.isFromHoldfast ? local.modifiedAt : appVersions[kind]?.own[key]
      if let followed = Value.declaration.following?(local, other, since) { return followed }
      if local.isNewer(than: other) { return local.merged(with: other) }
      // Only an edit here gives a record a time that the app's version does not have.
      if local.modifiedAt == other.modifiedAt { return try local.following(other) }
      guard let said = app.said[kind] else { return local.merged(with: other) }
      return local.merged(
        with: try local.completing(other, saying: said, labels: saidLabels(of: Value.self)))
    case .document where Value.declaration.union == nil:
      try completeLinks(&local, &other)
      return local.merged(with: other)
    case .document, .library:
      try completeLinks(&local, &other)
      let versions = appVersions[Value.declaration.kind]
      return try local.unified(
        with: other, importedAt: versions?.own[key], otherImportedAt: versions?.other[key])
    }
  }

  /// Returns the record with the ID of the catalog's recording that it belongs to, if it belongs to
  /// one.
  private func owned<Value: DeclaredRecord>(_ record: Value) throws -> Value {
    guard let path = Value.declaration.owner else { return record }
    var record = record
    guard let id = try recording(for: record[keyPath: path]) else {
      throw Refusal(reason: "its recording is not in the library")
    }
    record[keyPath: path] = id
    return record
  }

  /// Refuses the row of a photo whose file is not there: a row never comes without its file.
  private func requireFile<Value>(of photo: WrittenRecord<Value>, _ key: String) throws {
    let hash = try UUID(uuidString: key).flatMap(photos)
    guard hash?.hexadecimal.databaseValue == photo["fileSHA256"] else {
      throw Refusal(reason: "its file is not there")
    }
  }

  struct Refusal: Error {
    var reason: String
  }

  /// Encodes a record for writing, or refuses one that cannot be written.
  private func encoded<Value: JournalRecord>(
    _ value: Value, for key: String, claiming keys: inout UniqueKeys
  ) throws -> WrittenRecord<Value> {
    do {
      let record = try WrittenRecord(value)
      guard let other = try keys.claim(record, for: key, db) else { return record }
      if case .library = origin { throw Refusal(reason: "\(other); delete one of them") }
      throw Refusal(reason: other)
    } catch let error as RuleError {
      throw Refusal(reason: error.description)
    } catch let defect as RowDefect where defect.code == .refused {
      throw Refusal(reason: defect.reason)
    }
  }

  /// Writes a record, unless this is a dry run. In a savepoint, a record that the catalog refuses
  /// does not end the import.
  private func write<Value>(
    _ record: WrittenRecord<Value>, isNew: Bool, inSavepoint: Bool
  ) throws {
    if isDryRun { return }
    let write = { [db, statements] in
      try isNew ? record.insert(db, by: statements) : record.update(db, by: statements)
    }
    guard inSavepoint else { return try write() }
    do {
      try db.inSavepoint {
        try write()
        return .commit
      }
    } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
      throw Refusal(
        reason: "the catalog refused it (\(error.message?.escapedForDisplay ?? "no message"))")
    }
  }

  /// Returns the records that can be imported, each once, with the IDs that they have in the
  /// catalog.
  ///
  /// If the document has several versions of a record, the one changed last wins, and among equals
  /// the last one.
  mutating func values<Value: DeclaredRecord>(
    of elements: [DocumentElement<Value>]
  ) throws -> [(index: Int, value: Value)] {
    let kind = Value.declaration.kind
    var values: [(index: Int, value: Value)] = []
    var places: [Value.ID: Int] = [:]
    values.reserveCapacity(elements.count)
    places.reserveCapacity(elements.count)
    let offset = offsets[kind, default: 0]
    offsets[kind] = offset + elements.count
    for (index, element) in zip(offset..., elements) {
      switch element {
      case .refused(let id, let reason):
        report.count(kind, \.refused)
        report.items.append(.refused(kind, index: index, id: id, reason: reason))
      case .value(let found):
        let value: Value
        do { value = try owned(found) } catch let refusal as Refusal {
          report.count(kind, \.refused)
          report.items.append(
            .refused(
              kind, index: index, id: found.id.keyText.cut(to: 40), reason: refusal.reason))
          continue
        }
        guard let place = places[value.id] else {
          places[value.id] = values.count
          values.append((index, value))
          continue
        }
        report.count(kind, \.unchanged)
        report.repeated[kind, default: 0] += 1
        values[place].value = values[place].value.newer(value)
      }
    }
    return values
  }
}
