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
      let (kind, version) = Self.kindAndVersion(type)
      guard let list = records[kind] else { continue }
      versions[kind.name] = version
      json += Data(",\"\(kind.name)\":".utf8) + (try encoder.encode(list))
    }
    let head =
      "{\"format\":\"\(Self.format)\",\"schemaVersion\":\(Self.schemaVersion),\"versions\":"
    let document = Data(head.utf8) + (try encoder.encode(versions)) + Data(",".utf8) + json
    try self.init(json: document + Data("}".utf8), journals: journals)
  }

  private static func kindAndVersion<Value: DeclaredRecord>(
    _ type: Value.Type
  ) -> (kind: RecordKind, version: Int) {
    (Value.declaration.kind, Value.declaration.version)
  }
}
