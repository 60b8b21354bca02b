public import Foundation

/// The document that `export --format json` writes and `import-data` reads: the records of a
/// library.
///
/// It does not say when or where it was written, so that equal libraries have equal documents.
///
/// ```json
/// {"format":"holdfast","schemaVersion":2,
/// "versions":{"recordings":2,"transcripts":1,"cravings":2,"usage":2,"messages":2},
/// "recordings":[…],"transcripts":[…],"cravings":[…],"usage":[…],"messages":[…]}
/// ```
///
/// Each kind of record has its own version. Each list is in the order of its records' IDs. The
/// names in a record are those of its columns. Values that are null are left out. The kinds of the
/// journals that are enabled in the library follow those that every library has.
public struct ExportDocument: Sendable {
  /// The text that identifies a document as Holdfast's.
  public static let format = "holdfast"
  /// The version of the documents that this code writes. It reads older versions as well.
  public static let schemaVersion = 2
  /// A list of the document, which holds the elements of one kind of record.
  struct List: Sendable {
    var elements: any Sendable
    var count: Int
    /// Whether an element cannot be read.
    var hasRefusals: Bool

    init<Value: DeclaredRecord>(_ elements: [DocumentElement<Value>]) {
      self.elements = elements
      count = elements.count
      hasRefusals = elements.contains { if case .refused = $0 { true } else { false } }
    }
  }

  var lists: [RecordKind: List] = [:]
  /// What was left out or changed of records that an app wrote.
  public internal(set) var remarks: [AppReading.Remark] = []

  /// Reads a document. A record that cannot be read becomes a
  /// ``DocumentElement/refused(id:reason:)`` and does not affect the others.
  ///
  /// - Parameters:
  ///   - json: The document.
  ///   - journals: The journals that the program knows.
  /// - Throws: ``RuleError`` if it is not JSON, not a Holdfast document, from a newer Holdfast, or
  ///   has records of a journal that the program does not know.
  public init(json: Data, journals: [Journal] = []) throws(RuleError) {
    let kinds =
      [RecordingDocument.self, Transcript.self] as [any DeclaredRecord.Type]
      + journals.flatMap(\.kinds)
    do {
      lists = try JSONFormat.decoder.decode(Contents.self, from: json, configuration: kinds).lists
    } catch let error as RuleError {
      throw error
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound, DecodingError.keyNotFound {
      throw Self.foreign
    } catch {
      throw RuleError("not readable JSON; \(Self.wayOut)")
    }
    rereadAsApp(json, journals)
  }

  /// Returns the records of one kind; an empty list if the document has none.
  public subscript<Value: DeclaredRecord>(_ type: Value.Type) -> [DocumentElement<Value>] {
    lists[Value.declaration.kind]?.elements as? [DocumentElement<Value>] ?? []
  }

  /// Returns how many records of a kind the document has, including those that cannot be read.
  public func count(of kind: RecordKind) -> Int { lists[kind]?.count ?? 0 }

  /// Whether the document has a list of a kind, which may be empty.
  package func lists(_ kind: RecordKind) -> Bool { lists[kind] != nil }

  /// The kinds that have records in the document.
  public var kinds: Set<RecordKind> { Set(lists.filter { $0.value.count > 0 }.keys) }

  private struct Contents: DecodableWithConfiguration {
    var lists: [RecordKind: List] = [:]

    private enum Head: String, CodingKey { case format, schemaVersion, versions }

    /// - Throws: ``RuleError`` if it is not a Holdfast document, or from a newer Holdfast.
    init(from decoder: any Decoder, configuration kinds: [any DeclaredRecord.Type]) throws {
      let head = try decoder.container(keyedBy: Head.self)
      guard (try? head.decode(String.self, forKey: .format)) == format,
        let version = try? head.decode(Int.self, forKey: .schemaVersion), version >= 1
      else { throw foreign }
      guard version <= schemaVersion else {
        throw RuleError(
          "written by a newer version of Holdfast (schema version \(version), this one reads up to "
            + "\(schemaVersion)); update this one")
      }
      let keys = kinds.map(ListKey.init)
      let container = try decoder.container(keyedBy: ListKey.self)
      // Documents of version 1 have one version for all kinds.
      if version > 1 {
        let versions = try head.decode([String: Int].self, forKey: .versions)
        try Self.check(versions, keys)
        for key in container.allKeys
        where Head(stringValue: key.stringValue) == nil && versions[key.stringValue] == nil {
          throw Self.unknown(key.stringValue)
        }
      }
      for kind in kinds { try read(kind, in: container) }
    }

    /// Refuses kinds that the program does not know, and newer ones.
    private static func check(_ versions: [String: Int], _ keys: [ListKey]) throws {
      for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
        guard let known = keys.first(where: { $0.stringValue == name }) else {
          throw unknown(name)
        }
        guard version <= known.version else {
          throw RuleError(
            "written by a newer version of Holdfast (\(name) of version \(version)); update this "
              + "one")
        }
        guard version >= 1 else { throw foreign }
      }
    }

    private static func unknown(_ name: String) -> RuleError {
      RuleError(
        "it has \"\(name.cut(to: 40).escapedForDisplay)\", which this program does not know; use "
          + "one that does")
    }

    private mutating func read<Value: DeclaredRecord>(
      _ type: Value.Type, in container: KeyedDecodingContainer<ListKey>
    ) throws {
      let key = ListKey(type)
      // A list that is missing is empty.
      guard container.contains(key) else { return }
      do {
        lists[Value.declaration.kind] = List(
          try container.decode([DocumentElement<Value>].self, forKey: key))
      } catch is DecodingError {
        throw RuleError("its \(key.stringValue) are not a list; \(wayOut)")
      }
    }
  }

  private struct ListKey: CodingKey {
    let stringValue: String
    let version: Int
    var intValue: Int? { nil }

    init(_ type: any DeclaredRecord.Type) {
      (stringValue, version) = (type.kind.name, type.documentVersion)
    }

    init?(stringValue: String) {
      self.stringValue = stringValue
      version = 0
    }

    init?(intValue: Int) { nil }
  }

  private static let foreign = RuleError("not a document of Holdfast; \(wayOut)")
  private static let wayOut = "give a JSON document that an export wrote"
}
