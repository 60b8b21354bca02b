public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

extension ExportDocument {
  /// The largest document that is read, in bytes: some four million entries.
  private static let largestDocument: Int64 = 2 << 30

  /// Reads a document that an export has written.
  ///
  /// - Parameters:
  ///   - path: The document's file.
  ///   - journals: The journals that the program knows.
  /// - Throws: `HoldfastError` when the file is too large, is not a document of Holdfast, is of a
  ///   newer version, or cannot be read.
  public init(contentsOf path: String, journals: [Journal] = []) throws {
    let json = try Library.contents(ofFile: path, atMost: Self.largestDocument)
    do throws(RuleError) {
      try self.init(json: json, journals: journals)
    } catch {
      throw HoldfastError(.unreadableDocument, "\(path.escapedForDisplay): \(error)")
    }
  }
}

extension Library {
  /// Reads a document of another program into memory.
  ///
  /// - Parameters:
  ///   - path: The document's file.
  ///   - limit: The most bytes that are read.
  /// - Throws: `HoldfastError` when it is not a file, is larger, or cannot be read.
  public static func contents(ofFile path: String, atMost limit: Int64) throws -> Data {
    let file = try SourceFile.open(SourcePath(path))
    let identity = try file.identity()
    guard identity.kind == .regular else {
      throw HoldfastError(.notAFile, operation: "read", path: path)
    }
    guard identity.size <= limit else {
      throw HoldfastError(
        .unreadableDocument,
        "\(path.escapedForDisplay): \(identity.size) bytes long; at most \(limit) are read")
    }
    var data = Data()
    data.reserveCapacity(Int(identity.size))
    try file.forEachChunk { data.append(contentsOf: $0) }
    return data
  }
}

extension Library {
  /// Merges the document of an export into the library, in one step.
  ///
  /// Records that the library does not have are added. Records that it has are replaced if the
  /// document's version was changed later. Recordings are only updated: the library must have a
  /// recording with the same ID, or else one of the same source or with the same file. A link to a
  /// recording that the library does not have replaces no other. Counters never decrease. A record
  /// that cannot be merged does not stop the others. Records of a journal that is not enabled are
  /// an error.
  ///
  /// - Parameters:
  ///   - document: The document. A record that is dated in the future is imported with a remark.
  ///   - isDryRun: Whether to write nothing. The report is the same.
  ///   - now: The time of the import. The clock of the document's computer may be up to a day
  ///     ahead without a remark.
  /// - Returns: A report of the changes and the refused records.
  /// - Throws: `HoldfastError`. Nothing is written then.
  public func importData(
    _ document: ExportDocument, isDryRun: Bool = false, now: Date = Date()
  ) throws -> DataImportReport {
    if isDryRun { return try catalog.records.merge(document, isDryRun: true, now: now) }
    return try whileEditing { try catalog.records.merge(document, isDryRun: false, now: now) }
  }
}
