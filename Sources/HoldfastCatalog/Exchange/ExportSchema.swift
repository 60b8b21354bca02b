import Foundation
import GRDB
package import HoldfastModel

/// The JSON Schema of an export's document, made from the declarations of the kinds and from their
/// tables, whose constraints name the limits.
package enum ExportSchema {
  /// Returns the schema (2020-12) for the kinds that every library has and those of these journals.
  package static func make(journals: [Journal]) throws(HoldfastError) -> AppValue {
    let catalog = try Catalog.inMemory(journals: journals)
    for journal in journals where !journal.isAlwaysEnabled {
      _ = try catalog.journals.enable(journal.name)
    }
    return try catalog.readSnapshot { db in
      let kinds = try JournalState(of: db, journals).kinds
      var properties: [String: AppValue] = [
        "format": .object(["const": .text(ExportDocument.format)]),
        "schemaVersion": .object(["const": .number(Double(ExportDocument.schemaVersion))]),
      ]
      var (versions, records): ([String: AppValue], [String: AppValue]) = ([:], [:])
      for kind in kinds {
        let name = kind.kind.name
        properties[name] = .object([
          "type": .text("array"), "items": .object(["$ref": .text("#/$defs/\(name)")]),
        ])
        versions[name] = .object(["const": .number(Double(try kind.exported(db).version))])
        records[name] = try kind.schema(db)
      }
      properties["versions"] = object(versions, required: [])
      return .object([
        "$schema": .text("https://json-schema.org/draft/2020-12/schema"),
        "title": .text("An export of Holdfast"), "type": .text("object"),
        "properties": .object(properties), "additionalProperties": .flag(false),
        "required": .list(["format", "schemaVersion", "versions"].map { .text($0) }),
        "$defs": .object(records),
      ])
    }
  }

  fileprivate static func object(
    _ properties: [String: AppValue], required: [String]
  ) -> AppValue {
    .object([
      "type": .text("object"), "properties": .object(properties),
      "required": .list(required.sorted().map { .text($0) }), "additionalProperties": .flag(false),
    ])
  }
}

extension StoredKind {
  /// Returns the schema of a record: the columns of its table, and its lists.
  fileprivate func schema(_ db: Database) throws -> AppValue {
    let table = try TableSchema(declaration.table, db)
    let names = Dictionary(
      declaration.columns.map { ($0.value, $0.key) }, uniquingKeysWith: { $1 })
    let hidden = Set(declaration.derived.map(\.name) + Self.unexported)
    var properties: [String: AppValue] = [:]
    var required: [String] = []
    for column in table.columns where !hidden.contains(column.name) {
      let name = names[column.name] ?? column.name
      properties[name] = .object(table.schema(of: column))
      if column.isNotNull { required.append(name) }
    }
    for (name, child) in declaration.lists {
      let table = try TableSchema(child.name, db)
      let items =
        switch child.element {
        case .value(let column): table.schema(of: [column])[column] ?? .object([:])
        case .object(let columns):
          ExportSchema.object(
            table.schema(of: columns),
            required: table.columns.filter { $0.isNotNull && columns.contains($0.name) }
              .map(\.name))
        }
      properties[name] = .object(["type": .text("array"), "items": items])
      required.append(name)
    }
    return ExportSchema.object(properties, required: required)
  }

  /// The columns that are about the library's files, not about the recording.
  private static var unexported: [String] { ["searchText", "verifiedAt", "fault", "faultySince"] }
}

/// What a table says about its columns.
private struct TableSchema {
  struct Column {
    var name: String
    var type: String
    var isNotNull: Bool
  }

  let columns: [Column]
  /// The constraints' names and conditions.
  private let constraints: [(name: String, check: Substring)]

  init(_ table: String, _ db: Database) throws {
    columns = try Row.fetchAll(
      db, sql: "SELECT name, type, \"notnull\", pk FROM pragma_table_info(?)", arguments: [table]
    ).map { Column(name: $0["name"], type: $0["type"], isNotNull: $0["notnull"]) }
    let sql =
      try String.fetchOne(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = ?",
        arguments: [table]) ?? ""
    let matches = sql.matches(of: /CONSTRAINT\s+"([^"]+)"\s+CHECK/)
    constraints = matches.enumerated().map { index, match in
      let end =
        matches.indices.contains(index + 1) ? matches[index + 1].range.lowerBound : sql.endIndex
      return (String(match.1), sql[match.range.upperBound..<end])
    }
  }

  func schema(of names: [String]) -> [String: AppValue] {
    Dictionary(
      columns.filter { names.contains($0.name) }.map { ($0.name, .object(schema(of: $0))) },
      uniquingKeysWith: { $1 })
  }

  func schema(of column: Column) -> [String: AppValue] {
    var schema = Self.types[column.type] ?? [:]
    // A tree, which is stored as JSON.
    if column.name == "conversion" { schema = ["type": .text("object")] }
    for (name, check) in constraints where name.hasPrefix("\(column.name) ") {
      let rule = name.dropFirst(column.name.count + 1)
      switch rule {
      case "is 0 or 1": schema = ["type": .text("boolean")]
      case "is a UTC date and time": schema["format"] = .text("date-time")
      case "is a day of the calendar": schema["format"] = .text("date")
      case "is an upper-case UUID": schema["format"] = .text("uuid")
      default: schema["description"] = .text(name)
      }
      add(check, to: &schema)
    }
    return schema
  }

  private static let types: [String: [String: AppValue]] = [
    "TEXT": ["type": .text("string")], "INTEGER": ["type": .text("integer")],
    "REAL": ["type": .text("number")],
    "BLOB": ["type": .text("string"), "contentEncoding": .text("base64")],
  ]

  /// Adds the limits that a condition gives in one of the usual forms.
  private func add(_ check: Substring, to schema: inout [String: AppValue]) {
    guard schema["type"] != .text("boolean") else { return }
    if let list = check.prefixMatch(of: /\s*\(\w+ IN \(([^()]*)\)\)/) {
      schema["enum"] = .list(list.1.matches(of: /'([^']*)'/).map { .text(String($0.1)) })
    }
    guard schema["type"] != .text("string") else {
      if let limit = check.firstMatch(of: /length\(\w+\)\s+(?:<=|BETWEEN\s+\d+\s+AND)\s+(\d+)/) {
        schema["maxLength"] = Double(limit.1).map { .number($0) }
      }
      return
    }
    if let range = check.firstMatch(of: /BETWEEN\s+(-?\d+)\s+AND\s+(-?\d+)/) {
      schema["minimum"] = Double(range.1).map { .number($0) }
      schema["maximum"] = Double(range.2).map { .number($0) }
    }
  }
}
