public import Foundation

/// The kinds of records in an export, in the order of its lists.
public enum RecordKind: String, Codable, Hashable, Sendable, CaseIterable, CodingKey {
  /// Recordings, without their files.
  case recordings
  /// Cravings.
  case cravings
  /// Usage.
  case usage
  /// Messages, including those that came with the library.
  case messages

  /// The version of this kind's records that this code writes. It reads older versions as well.
  ///
  /// Version 2 added the time zones of entries, and leaves out `modifiedAt` where nobody has changed a
  /// record.
  public var version: Int { 2 }
}

/// The document that `export --format json` writes and `import-data` reads: a library's recordings,
/// cravings, usage and messages.
///
/// It does not say when or where it was written, so that equal libraries have equal documents.
///
/// ```json
/// {"format":"holdfast","schemaVersion":2,
/// "versions":{"recordings":2,"cravings":2,"usage":2,"messages":2},
/// "recordings":[…],"cravings":[…],"usage":[…],"messages":[…]}
/// ```
///
/// Each kind of record has its own version. Each list is in the order of its records' IDs. The names in a record are those of its columns.
/// Values that are null are left out.
public struct ExportDocument: Decodable, Hashable, Sendable {
  /// The text that identifies a document as Holdfast's.
  public static let format = "holdfast"
  /// The version of the documents that this code writes. It reads older versions as well.
  public static let schemaVersion = 2

  /// The recordings.
  public var recordings: [DocumentElement<RecordingDocument>]
  /// The cravings.
  public var cravings: [DocumentElement<Craving>]
  /// The usage.
  public var usage: [DocumentElement<Usage>]
  /// The messages.
  public var messages: [DocumentElement<Message>]

  /// Reads a document. A record in it that cannot be read becomes a
  /// ``DocumentElement/refused(id:reason:)`` and does not affect the others.
  ///
  /// - Parameter json: The document.
  /// - Throws: ``RuleError`` if it is not JSON, not a Holdfast document, or from a newer Holdfast.
  public init(json: Data) throws(RuleError) {
    do {
      self = try JSONFormat.decoder.decode(ExportDocument.self, from: json)
    } catch let error as RuleError {
      throw error
    } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
      throw Self.foreign
    } catch {
      throw RuleError("not readable JSON; \(Self.wayOut)")
    }
  }

  /// Returns the document with every entry that is later than `moment` refused, because nothing can
  /// be logged in the future.
  public func refusingEntries(after moment: Date) -> ExportDocument {
    var document = self
    document.cravings = cravings.map { $0.refusing(after: moment) }
    document.usage = usage.map { $0.refusing(after: moment) }
    return document
  }

  private enum Head: String, CodingKey { case format, schemaVersion, versions }

  /// Reads a document from any decoder.
  ///
  /// - Throws: ``RuleError`` if it is not a Holdfast document, or from a newer Holdfast.
  public init(from decoder: any Decoder) throws {
    let head = try decoder.container(keyedBy: Head.self)
    guard (try? head.decode(String.self, forKey: .format)) == Self.format,
      let version = try? head.decode(Int.self, forKey: .schemaVersion), version >= 1
    else { throw Self.foreign }
    guard version <= Self.schemaVersion else {
      throw RuleError(
        "written by a newer version of Holdfast (schema version \(version), this one reads up to "
          + "\(Self.schemaVersion)); update this one")
    }
    // Documents of version 1 have one version for all kinds.
    let versions = try head.decodeIfPresent([String: Int].self, forKey: .versions) ?? [:]
    for (name, version) in versions.sorted(by: { $0.key < $1.key }) {
      guard let kind = RecordKind(rawValue: name), version <= kind.version else {
        throw RuleError(
          "written by a newer version of Holdfast (\(name.cut(to: 40).escapedForDisplay) of version "
            + "\(version)); update this one")
      }
    }
    let lists = try decoder.container(keyedBy: RecordKind.self)
    recordings = try Self.list(.recordings, in: lists)
    cravings = try Self.list(.cravings, in: lists)
    usage = try Self.list(.usage, in: lists)
    messages = try Self.list(.messages, in: lists)
  }

  /// Returns a list of the document; an empty one if it is missing.
  private static func list<Value>(
    _ kind: RecordKind, in lists: KeyedDecodingContainer<RecordKind>
  ) throws -> [DocumentElement<Value>] {
    guard lists.contains(kind) else { return [] }
    do {
      return try lists.decode([DocumentElement<Value>].self, forKey: kind)
    } catch is DecodingError {
      throw RuleError("its \(kind.rawValue) are not a list; \(wayOut)")
    }
  }

  private static let foreign = RuleError("not a document of Holdfast; \(wayOut)")
  private static let wayOut = "give a JSON document that an export wrote"
}
