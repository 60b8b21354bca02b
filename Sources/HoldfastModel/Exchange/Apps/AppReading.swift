public import Foundation

/// The reading of an app's rows into records: the rows, the records so far, and what was left out.
public struct AppReading: Sendable {
  /// What happened to one value of some records.
  public struct Remark: Hashable, Sendable {
    /// The kind of record.
    public var kind: RecordKind
    /// The value's name, as the app spells it.
    public var name: String
    /// What happened to it: a few words.
    public var what: String
    /// How many records it concerns.
    public var count: Int

    /// The remark as a sentence: `wasManagedSuccessfully: 41 cravings, not kept`.
    public var sentence: String {
      "\(name.cut(to: 60).escapedForDisplay): \(kind.text(count)), \(what.cut(to: 120))"
    }
  }

  /// The app's rows.
  public let rows: AppRows
  /// The records, as JSON objects with the names of an export.
  public private(set) var records: [RecordKind: [[String: AppValue]]] = [:]
  /// The photos of the records, whose files come after them.
  public private(set) var photos: [AppPhoto] = []
  /// The recordings.
  public package(set) var recordings: [AppRecording] = []
  /// What was left out or changed.
  public private(set) var remarks: [Remark] = []
  /// The rows that became no record, with one sentence each.
  public private(set) var refusals: [(kind: RecordKind, id: String?, reason: String)] = []
  /// A sentence for each app whose rows belong to several people.
  package let people: [String]
  /// Records that follow from others, unless the library has what they say.
  private var implied: [(kind: RecordKind, record: [String: AppValue], isHere: IsHere)] = []
  private var places: [Remark: Int] = [:]
  private var ids: [String: [Int: UUID]] = [:]

  /// Reads the rows by all models whose entities they have.
  ///
  /// - Parameters:
  ///   - rows: The rows of a store or a document.
  ///   - models: The models of all apps.
  ///   - db: The library into which they are imported; `nil` if there is none.
  public init(_ rows: AppRows, _ models: [AppModel], for db: (any RecordDatabase)? = nil) {
    var rows = rows
    for list in models.flatMap(\.nested) { rows.unfold(list) }
    let models = models.filter { model in
      rows.names.contains { model.entities.contains($0.entity) }
    }
    var people = models.compactMap { rows.people(of: $0.entities) }
    for model in models where !rows.isFromHoldfast {
      guard let owner = model.owner else { continue }
      for person in rows.identify(owner, of: model.entities, db) where person != owner.name {
        people.append(
          "\(model.name): those of \(person.cut(to: 60).escapedForDisplay) are yours here")
      }
    }
    (self.rows, self.people) = (rows, people)
    for model in models { model.read(&self) }
    for (name, count) in rows.leftOut {
      let kind = RecordKind(name, singular: "row", plural: "rows")
      remarks.append(Remark(kind: kind, name: name, what: "not kept", count: count))
    }
    let known = Self.documentValues.union(models.flatMap(\.entities))
    for (name, value) in (rows.document.object ?? [:]).sorted(by: { $0.key < $1.key })
    where !value.isEmpty && !known.contains(AppRows.fold(name)) {
      remark(RecordKind(name, singular: "value", plural: "values"), name: name, what: "not kept")
    }
  }

  /// The values of a document beside its lists that are read, or say nothing about a person.
  private static let documentValues = Set(
    [
      "metadata", "version", "appVersion", "schemaVersion", "format", "app", "bundleId", "device",
      "deviceName", "platform", "exportDate", "exportedAt", "createdDate", "createdAt", "timestamp",
      "date", "totalXP", "userProgress", "userId", AppRows.writer,
    ].map(AppRows.fold))

  /// Adds a record for each row of these entities.
  public mutating func each(
    _ entities: String..., as kind: RecordKind, _ read: (inout AppRow, inout AppReading) -> Void
  ) {
    for entity in entities { each(rows[entity], as: kind, read) }
  }

  /// The kinds whose form has every field: a store has columns without values too.
  private var wholeKinds: Set<RecordKind> = []
  /// The names of the values that the app does not have: its reading assumed them.
  package private(set) var assumed: [RecordKind: [String: Set<String>]] = [:]

  /// Tells that the app does not have some values of a record.
  public mutating func assume(_ names: Set<String>, of kind: RecordKind, _ id: AppValue?) {
    guard let key = id?.uuid?.uuidString ?? id?.text, !names.isEmpty else { return }
    assumed[kind, default: [:]][key, default: []].formUnion(names)
  }

  /// The names of the values that the app's form has, for each kind whose form may lack some: those
  /// that any of its records has.
  package var said: [RecordKind: Set<String>] {
    if rows.isFromHoldfast { return [:] }
    return records.filter { !wholeKinds.contains($0.key) }
      .reduce(into: [:]) { said, kind in
        var names: Set<String> = []
        for record in kind.value {
          for (name, value) in record where !names.contains(name) && !value.isEmpty {
            if !value.isNull { names.insert(name) }
          }
        }
        said[kind.key] = names
      }
  }

  /// Adds a record for each of some rows.
  public mutating func each(
    _ rows: [AppRows.Fields], as kind: RecordKind,
    _ read: (inout AppRow, inout AppReading) -> Void
  ) {
    for fields in rows {
      if fields.values["deletedat"] != nil {
        remark(kind, name: "deletedAt", what: "deleted in the app, left out")
        continue
      }
      var row = AppRow(fields)
      if row.isInStore { wholeKinds.insert(kind) }
      read(&row, &self)
      if !row.record.isEmpty { add(row.record, as: kind) }
      if fields.values["createdat"] == nil { row.assume("createdAt") }
      assume(row.assumed, of: kind, row.record["id"])
      finish(row, kind)
    }
  }

  /// Reports what a row's reading left out.
  public mutating func finish(_ row: AppRow, _ kind: RecordKind) {
    for (name, what) in row.remarks { remark(kind, name: name, what: what) }
    for name in row.unread { remark(kind, name: name, what: "not kept") }
  }

  /// Adds a record.
  public mutating func add(_ record: [String: AppValue], as kind: RecordKind) {
    records[kind, default: []].append(record)
  }

  /// Returns whether the library has what a record says.
  public typealias IsHere = @Sendable (any RecordDatabase) throws -> Bool

  /// Adds a record that follows from others, for an import into a library that lacks it.
  public mutating func add(
    _ record: [String: AppValue], as kind: RecordKind, unless isHere: @escaping IsHere
  ) {
    implied.append((kind, record, isHere))
  }

  /// Adds the records that follow from others and that the library lacks.
  ///
  /// - Parameter kinds: The kinds that the library has.
  package mutating func addImplied(
    _ db: any RecordDatabase, having kinds: Set<RecordKind>
  ) throws {
    for (kind, record, isHere) in implied where try !kinds.contains(kind) || !isHere(db) {
      add(record, as: kind)
    }
    implied = []
  }

  /// Adds a photo that the rows name.
  public mutating func add(_ photo: AppPhoto) { photos.append(photo) }

  /// Adds a recording that the rows name, such as an entry's voice note.
  public mutating func add(_ recording: AppRecording) { recordings.append(recording) }

  /// Reports a row that cannot become a record.
  public mutating func refuse(_ kind: RecordKind, id: String?, _ reason: String) {
    refusals.append((kind, id?.cut(to: 40), reason.cut(to: 300)))
  }

  /// Reports what happened to a value. Equal remarks are counted.
  public mutating func remark(_ kind: RecordKind, name: String, what: String) {
    let key = Remark(kind: kind, name: name, what: what, count: 0)
    if let place = places[key] {
      remarks[place].count += 1
    } else {
      places[key] = remarks.count
      remarks.append(key)
      remarks[remarks.count - 1].count = 1
    }
  }

  /// Returns the ID that a value names: a UUID, an object with an ID, or a row of an entity by its
  /// number in the store.
  public mutating func id(_ value: AppValue, in entity: String) -> UUID? {
    if let id = value.uuid { return id }
    guard case .number(let number) = value, let number = Int(exactly: number) else { return nil }
    if ids[entity] == nil {
      ids[entity] = Dictionary(
        rows[entity].compactMap { row in
          guard let number = row.number, let id = row.values["id"]?.value.uuid else { return nil }
          return (number, id)
        }, uniquingKeysWith: { first, _ in first })
    }
    return ids[entity]?[number]
  }

  /// Removes the references to photos whose files the library has.
  package mutating func dropReferences(where isHere: (UUID) throws -> Bool) rethrows {
    let here = try Dictionary(grouping: photos.filter { try isHere($0.id) }, by: \.record)
    guard !here.isEmpty else { return }
    for (kind, list) in records {
      for (index, record) in list.enumerated() {
        for photo in record["id"]?.uuid.flatMap({ here[$0] }) ?? [] {
          guard var references = records[kind]?[index][photo.list]?.list else { continue }
          references.removeAll { $0 == .text(photo.reference) }
          records[kind]?[index][photo.list] = .list(references)
        }
      }
    }
  }

  /// Returns the midnights by which the app names the days of some entities.
  ///
  /// - Parameter days: For each entity, the name of its day.
  public func midnights(of days: [(entity: String, day: String)]) -> AppMidnights {
    var moments: [Date: [Date]] = [:]
    for (entity, day) in days {
      for row in rows[entity] {
        guard case (let midnight, nil)? = row[day.lowercased()].moment else { continue }
        moments[midnight, default: []] += [row["createdat"].date].compactMap(\.self)
      }
    }
    return AppMidnights(moments)
  }

  /// Changes the links of the records to the recordings' IDs in the library.
  ///
  /// - Parameter change: Returns the ID in the library; `nil` if the recording is not there.
  public mutating func relink(_ change: (UUID) -> UUID?) {
    for (kind, list) in records {
      for (index, record) in list.enumerated() {
        guard let link = record["recordingId"] else { continue }
        if let id = link.uuid.flatMap(change) {
          records[kind]?[index]["recordingId"] = .text(id.uuidString)
        } else {
          records[kind]?[index]["recordingId"] = nil
          remark(
            kind, name: "recording",
            what: "not linked, because the recording is not in the library")
        }
      }
    }
  }
}
