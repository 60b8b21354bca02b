public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

extension Library {
  /// The largest document that is read: some four million entries.
  private static let largestDocument: Int64 = 2 << 30

  /// Reads a document that an export has written.
  ///
  /// - Parameter path: The document's file.
  /// - Throws: ``LibraryError`` when it is no document of ours, or a newer Holdfast's; `StorageError`
  ///   when the file cannot be read.
  public static func exportDocument(inFile path: String) throws -> ExportDocument {
    try LibraryError.translating {
      let file = try SourceFile.open(SourcePath(path))
      let identity = try file.identity()
      guard identity.kind == .regular else {
        throw StorageError(.notAFile, "read", path: path)
      }
      func refusal(_ reason: String) -> LibraryError {
        LibraryError(.unreadableDocument, "\(path.escapedForDisplay): \(reason)")
      }
      guard identity.size <= largestDocument else {
        throw refusal("\(identity.size) bytes long; at most \(largestDocument) are read")
      }
      var json = Data()
      json.reserveCapacity(Int(identity.size))
      try file.forEachChunk { json.append(contentsOf: $0) }
      do throws(RuleError) {
        return try ExportDocument(json: json)
      } catch {
        throw refusal(error.description)
      }
    }
  }

  /// Takes what an export's document holds: all that can be taken, in one step.
  ///
  /// What the library does not know is added, and what it knows is replaced where the document's was
  /// changed later. Recordings are only updated: the library must have one of the same id, or else
  /// of the same file. Counters never go back.
  ///
  /// - Parameters:
  ///   - document: The document; entries that lie in the future are refused.
  ///   - isDryRun: Whether nothing is written; the report is the same.
  ///   - now: The moment of the import. The clock that a document comes from may be a day ahead.
  /// - Returns: What was done, and which records were not taken.
  /// - Throws: `CatalogError` and `StorageError`; then nothing is written.
  public func importData(
    _ document: ExportDocument, isDryRun: Bool = false, now: Date = Date()
  ) throws -> DataImportReport {
    try LibraryError.translating {
      let document = document.refusingEntries(after: now.addingTimeInterval(86_400))
      if isDryRun { return try catalog.merge(document, isDryRun: true) }
      return try whileLocked { try catalog.merge(document, isDryRun: false) }
    }
  }
}
