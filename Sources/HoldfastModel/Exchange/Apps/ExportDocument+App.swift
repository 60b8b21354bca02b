import Foundation

extension ExportDocument {
  /// Makes a document from an app's records, which are checked as those of any document.
  ///
  /// - Parameters:
  ///   - records: The records, as JSON objects.
  ///   - recordings: The recordings, as they are to be in the library.
  ///   - journals: The journals that the program knows.
  package init(
    _ records: [RecordKind: [[String: AppValue]]], recordings: [RecordingDocument],
    journals: [Journal]
  ) throws {
    let encoder = JSONFormat.encoder
    var versions = ["recordings": RecordingDocument.declaration.version]
    var json = Data("\"recordings\":".utf8) + (try encoder.encode(recordings))
    for type in journals.flatMap(\.kinds) {
      guard let list = records[type.kind] else { continue }
      versions[type.kind.name] = type.documentVersion
      json += Data(",\"\(type.kind.name)\":".utf8) + (try encoder.encode(list))
    }
    let head =
      "{\"format\":\"\(Self.format)\",\"schemaVersion\":\(Self.schemaVersion),\"versions\":"
    let document = Data(head.utf8) + (try encoder.encode(versions)) + Data(",".utf8) + json
    try self.init(json: document + Data("}".utf8), journals: journals)
  }

  /// Reads the records again that lack a value which only Holdfast has, as records of an app.
  ///
  /// A record that the app's model cannot complete stays refused, with its first reason.
  mutating func rereadAsApp(_ json: Data, _ journals: [Journal]) {
    let models = journals.compactMap(\.app)
    let kinds = journals.flatMap(\.kinds)
    guard lists.values.contains(where: \.hasRefusals), !models.isEmpty,
      let document = try? JSONDecoder().decode(AppValue.self, from: json)
    else { return }
    var others: [RecordKind: [[String: AppValue]]] = [:]
    for kind in kinds { reread(kind, in: document, as: models, &others) }
    for kind in kinds { append(kind, others) }
  }

  private mutating func reread<Value: DeclaredRecord>(
    _ type: Value.Type, in document: AppValue, as models: [AppModel],
    _ others: inout [RecordKind: [[String: AppValue]]]
  ) {
    let kind = Value.declaration.kind
    guard lists[kind]?.hasRefusals == true, let raw = document[kind.name].list,
      raw.count == self[type].count
    else { return }
    var elements = self[type]
    for (index, element) in elements.enumerated() {
      guard case .refused = element, case .object(let values) = raw[index],
        Self.lacksValue(type, raw[index])
      else { continue }
      var rows = AppRows()
      rows.add([AppRows.Fields(values)], of: kind.name)
      let reading = AppReading(rows, models)
      guard let record = reading.records[kind]?.first,
        let read = try? Self.element(type, record), case .value = read
      else { continue }
      elements[index] = read
      others.merge(reading.records.filter { $0.key != kind }) { $0 + $1 }
      for remark in reading.remarks { add(remark) }
    }
    lists[kind] = List(elements)
  }

  /// Whether a record cannot be read because a value is missing, and not because one is wrong.
  private static func lacksValue<Value: DeclaredRecord>(
    _ type: Value.Type, _ raw: AppValue
  ) -> Bool {
    do {
      _ = try JSONFormat.decoder.decode(Value.self, from: JSONFormat.encoder.encode(raw))
      return false
    } catch DecodingError.keyNotFound { return true } catch { return false }
  }

  private static func element<Value: DeclaredRecord>(
    _ type: Value.Type, _ record: [String: AppValue]
  ) throws -> DocumentElement<Value> {
    try JSONFormat.decoder.decode(
      DocumentElement<Value>.self, from: JSONFormat.encoder.encode(record))
  }

  /// Adds the records that follow from others, such as the days of a diary.
  private mutating func append<Value: DeclaredRecord>(
    _ type: Value.Type, _ others: [RecordKind: [[String: AppValue]]]
  ) {
    guard let records = others[Value.declaration.kind] else { return }
    let elements = records.compactMap { try? Self.element(type, $0) }
    lists[Value.declaration.kind] = List(self[type] + elements)
  }

  private mutating func add(_ remark: AppReading.Remark) {
    let place = remarks.firstIndex {
      ($0.kind, $0.name, $0.what) == (remark.kind, remark.name, remark.what)
    }
    if let place { remarks[place].count += remark.count } else { remarks.append(remark) }
  }
}
