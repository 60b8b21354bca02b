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
    var lists: [String: AppValue] = [:]
    var versions = ["recordings": AppValue.number(Double(RecordingDocument.declaration.version))]
    for type in journals.flatMap(\.kinds) {
      guard let list = records[type.kind] else { continue }
      versions[type.kind.name] = .number(Double(type.documentVersion))
      lists[type.kind.name] = .list(list.map { .object($0) })
    }
    lists["format"] = .text(Self.format)
    lists["schemaVersion"] = .number(Double(Self.schemaVersion))
    lists["versions"] = .object(versions)
    var json = Array("{\"recordings\":".utf8)
    json += try JSONFormat.encoder.encode(recordings)
    for (name, value) in lists {
      json += Array(",\"\(name)\":".utf8)
      value.write(to: &json)
    }
    json.append(UInt8(ascii: "}"))
    try self.init(json: Data(json), journals: journals)
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

extension AppValue {
  /// Writes what ``encode(to:)`` encodes. `JSONEncoder` takes a tenth of the time of an import.
  fileprivate func write(to json: inout [UInt8]) {
    switch self {
    case .null: json += "null".utf8
    case .flag(let flag): json += "\(flag)".utf8
    case .number(let number) where number.isFinite: json += (text ?? "").utf8
    case .number(let number): AppValue.text("\(number)").write(to: &json)
    case .text(let text):
      json += "\"".utf8
      for byte in text.utf8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
        case ..<32: json += "\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8
        default: json.append(byte)
        }
      }
      json += "\"".utf8
    case .bytes(let data): AppValue.text(data.base64EncodedString()).write(to: &json)
    case .list(let list):
      var separator = "["
      for value in list {
        json += separator.utf8
        value.write(to: &json)
        separator = ","
      }
      json += (list.isEmpty ? "[]" : "]").utf8
    case .object(let values):
      var separator = "{"
      for (name, value) in values {
        json += separator.utf8
        AppValue.text(name).write(to: &json)
        json += ":".utf8
        value.write(to: &json)
        separator = ","
      }
      json += (values.isEmpty ? "{}" : "}").utf8
    }
  }
}
