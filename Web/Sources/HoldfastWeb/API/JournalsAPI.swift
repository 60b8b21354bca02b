import Foundation
import Holdfast
import Hummingbird
import Synchronization

/// The records of the journals, for programs: each kind below `/api/1/JOURNAL/KIND`, with the names
/// of an export.
///
/// A record is added and changed as an import of data does it. So the journal's rules hold, and
/// what follows from a record, such as points, is made.
struct JournalsAPI: Sendable {
  let host: LibraryHost
  let journals: [Journal]

  func add(to router: Router<WebContext>) {
    for journal in journals {
      for kind in journal.kinds { add(kind, of: journal, to: router) }
    }
  }

  private func add<Record: JournalRecord>(
    _ type: Record.Type, of journal: Journal, to router: Router<WebContext>
  ) {
    let all = RouterPath("/api/1/\(journal.name)/\(Record.declaration.kind.name)")
    let one = RouterPath("\(all)/:id")
    let fields = RecordFields(of: journal, Record.declaration.kind)
    router.get(all) { request, _ in
      let form = try request.fields("limit", "offset", "private")
      let (page, showsPrivate) = (try ListedPage(form), try form.isOn("private"))
      let found = try await host.read { library in
        try library.listed(type, page, showingPrivate: showsPrivate)
      }
      return try JSONAnswer.response(JSONList(found, page))
    }
    router.post(all) { request, context in
      let record = try await fields.record(request, context)
      let (saved, isNew) = try await host.write { library in
        try library.save(type, record, as: fields, now: Date())
      }
      return try JSONAnswer.response(saved, status: isNew ? .created : .ok)
    }
    router.get(one) { _, context in
      let id = try context.key(Record.ID.self)
      return try JSONAnswer.response(
        try await host.read { library in try library.read { try $0.existing(type, id) } })
    }
    router.put(one) { request, context in
      let id = try context.key(Record.ID.self)
      let record = try await fields.record(request, context)
      let saved = try await host.write { library in
        try library.replace(type, id, by: record, as: fields, now: Date())
      }
      return try JSONAnswer.response(saved)
    }
    // What follows from the other journals' records is taken back by their own commands.
    guard !journal.derivesRecords else { return }
    router.delete(one) { _, context in
      let id = try context.key(Record.ID.self)
      try await host.delete { library in try library.delete(type, id: id) }
      return Response(status: .noContent)
    }
  }
}

/// The fields of a kind of record, by the schema of an export.
private final class RecordFields: Sendable {
  let kind: RecordKind
  private let journal: Journal
  /// Read when the first record comes: making a schema takes longer than starting the server.
  private let properties = Mutex<[String: Schema.Property]?>(nil)

  init(of journal: Journal, _ kind: RecordKind) {
    self.journal = journal
    self.kind = kind
  }

  private func known() throws -> [String: Schema.Property] {
    try properties.withLock { properties in
      if let properties { return properties }
      let json = try Library.exportSchema(journals: [journal])
      let schema = try JSONDecoder().decode(Schema.self, from: json)
      let read = schema.definitions[kind.name]?.properties ?? [:]
      properties = read
      return read
    }
  }

  private struct Schema: Decodable {
    var definitions: [String: Definition]

    enum CodingKeys: String, CodingKey { case definitions = "$defs" }

    struct Definition: Decodable { var properties: [String: Property] }
    struct Property: Decodable { var type: String? }
  }

  /// Reads the record of a request. A field that is not known throws ``WebProblem``.
  func record(_ request: Request, _ context: WebContext) async throws -> [String: AppValue] {
    let known = try known()
    let record = try await request.document(
      [String: AppValue].self, known: known.keys.sorted(), context)
    // A list may be left out if it is empty.
    let lists = known.filter { $0.value.type == "array" }.map { ($0.key, AppValue.list([])) }
    return record.merging(lists) { given, _ in given }
  }

  /// Returns a document with one record, as an import reads it.
  func document(
    _ record: [String: AppValue], version: Int
  ) throws -> ExportDocument {
    let names = try known().keys
    let document: [String: AppValue] = [
      "format": .text(ExportDocument.format),
      "schemaVersion": .number(Double(ExportDocument.schemaVersion)),
      "versions": .object([kind.name: .number(Double(version))]),
      kind.name: .list([.object(record.filter { names.contains($0.key) })]),
    ]
    return try ExportDocument(json: JSONEncoder().encode(document), journals: [journal])
  }
}

extension Library {
  fileprivate func listed<Record: JournalRecord>(
    _ type: Record.Type, _ page: ListedPage, showingPrivate showsPrivate: Bool
  ) throws -> [Record] {
    let declaration = Record.declaration
    let isOpen = showsPrivate ? nil : declaration.privacy.map { "WHERE \($0.column) = 0" }
    return try records(
      type, clause: "\(isOpen ?? "") ORDER BY \(declaration.key) LIMIT ? OFFSET ?",
      arguments: [.integer(Int64(page.limit + 1)), .integer(Int64(page.offset))])
  }

  /// Adds a record, or changes one with its ID as a later edit does.
  ///
  /// - Returns: The record as it is now, and whether it is new.
  /// - Throws: ``WebProblem`` if the record here is a later one. Nothing is changed then.
  fileprivate func save<Record: JournalRecord>(
    _ type: Record.Type, _ record: [String: AppValue], as fields: RecordFields, now: Date
  ) throws -> (record: Record, isNew: Bool) {
    let given = record.keys
    var record = record
    record["id"] = record["id"] ?? .text(UUID().uuidString)
    record["createdAt"] = try record["createdAt"] ?? AppValue(encoding: now)
    let document = try fields.document(record, version: Record.declaration.version)
    guard let element = document[type].first else { throw WebProblem.notFound }
    if let remark = document.remarks.first { throw WebProblem.invalid(remark.sentence) }
    switch element {
    case .refused(_, let reason): throw WebProblem.invalid(reason)
    case .value(let value):
      try read { try $0.refuseMissingTargets(of: value) }
      let report = try importData(document, now: now)
      if case .refused(_, _, _, let reason) = report.items.first {
        throw WebProblem.invalid(reason)
      }
      let saved = try read { try $0.existing(type, value.id) }
      let counts = report.counts[fields.kind]
      if counts?.unchanged == 1 {
        // The same request once more is answered as the first was.
        let (kept, sent) = (try AppValue(encoding: saved), try AppValue(encoding: value))
        guard given.allSatisfy({ kept[$0] == sent[$0] }) else {
          throw WebProblem(
            .conflict, code: "recordExists",
            detail:
              "there is a \(fields.kind.singular) with this id and other values; PUT changes it")
        }
      }
      return (saved, counts?.added == 1)
    }
  }

  fileprivate func replace<Record: JournalRecord>(
    _ type: Record.Type, _ id: Record.ID, by record: [String: AppValue], as fields: RecordFields,
    now: Date
  ) throws -> Record {
    var old = try read { try $0.existing(type, id) }
    old.setEdited(at: now)
    var record = record
    record["id"] = .text(id.keyText)
    record["createdAt"] = try AppValue(encoding: old.createdAt)
    record["modifiedAt"] = try old.modifiedAt.map { try AppValue(encoding: $0) }
    return try save(type, record, as: fields, now: now).record
  }
}

extension AppValue {
  /// A value, as an export writes it.
  fileprivate init(encoding value: some Encodable) throws {
    self = try JSONDecoder().decode(Self.self, from: JSONFormat.encoder.encode(value))
  }
}

extension WebContext {
  /// The ID in the path.
  fileprivate func key<Key: RecordKey>(_ type: Key.Type) throws -> Key {
    let text = try parameters.require("id")
    guard let key = (UUID(uuidString: text) as? Key) ?? (text as? Key) else {
      throw WebProblem.notFound
    }
    return key
  }
}

extension WebProblem {
  fileprivate static func invalid(_ reason: String) -> WebProblem {
    WebProblem(.unprocessableContent, code: "invalidValue", detail: reason)
  }
}
