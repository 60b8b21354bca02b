public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

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
    try self.init(contentsOf: SourcePath(path), named: path, journals: journals)
  }

  fileprivate init(contentsOf path: SourcePath, named name: String, journals: [Journal]) throws {
    let shown = name.escapedForDisplay
    let file = try SourceFile.open(path)
    let identity = try file.identity()
    guard identity.kind == .regular else {
      throw HoldfastError(.notAFile, operation: "read", path: name)
    }
    let limit = Self.largestDocument
    guard identity.size <= limit else {
      throw HoldfastError(
        .unreadableDocument, "\(shown): \(identity.size) bytes long; at most \(limit) are read")
    }
    var json = Data()
    json.reserveCapacity(Int(identity.size))
    try file.forEachChunk { json.append(contentsOf: $0) }
    do throws(RuleError) {
      try self.init(json: json, journals: journals)
    } catch {
      throw HoldfastError(.unreadableDocument, "\(shown): \(error)")
    }
  }
}

extension Library {
  /// Merges the document of an export into the library, in one step.
  ///
  /// Records that the library does not have are added. Records that it has are replaced if the
  /// document's version was changed later. Recordings are only updated: the library must have a
  /// recording with the same ID, or else one of the same source or with the same file. A link to a
  /// recording that the library does not have replaces no other. A photo is added only if its file
  /// is in the library. Counters never decrease. A record that cannot be merged does not stop the
  /// others. Records of a journal that is not enabled are an error.
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
    try importData(document, of: nil, isDryRun: isDryRun, now: now)
  }

  /// - Parameter app: The app that the document is of; `nil` if it is of none.
  func importData(
    _ document: ExportDocument, of app: ImportedApp?, isDryRun: Bool, now: Date
  ) throws -> DataImportReport {
    let merge = { [catalog, tree] in
      try catalog.records.merge(document, of: app, isDryRun: isDryRun, now: now) { id in
        // After the catalog was rebuilt, the photos' files are there without their rows.
        try? tree.openForReading(.photo(id: id)).sha256(until: StopFlag())
      }
    }
    return isDryRun ? try merge() : try whileEditing(merge)
  }
}

extension Library {
  /// Imports a document: an export of Holdfast, or a document or a store that an app wrote. No file
  /// of a recording is imported.
  ///
  /// - Parameters:
  ///   - path: The document's file.
  ///   - isDryRun: Whether to write nothing. The report is the same.
  ///   - now: The time of the import.
  /// - Throws: `HoldfastError`. Nothing is written then.
  public func importDocument(
    at path: String, isDryRun: Bool = false, now: Date = Date()
  ) throws -> DataImportReport {
    try SourcePath(path).refuseInsideLibrary()
    return try importDocument(at: SourcePath(path), named: path, isDryRun: isDryRun, now: now)
  }

  /// Imports a document that was uploaded, as ``importDocument(at:isDryRun:now:)`` does.
  public func importDocument(_ upload: Upload, now: Date = Date()) throws -> DataImportReport {
    try importDocument(at: upload.path, named: upload.name, isDryRun: false, now: now)
  }

  private func importDocument(
    at path: SourcePath, named name: String, isDryRun: Bool, now: Date
  ) throws -> DataImportReport {
    let journals = catalog.journals.known
    let document: ExportDocument
    do {
      document = try ExportDocument(contentsOf: path, named: name, journals: journals)
    } catch let error as HoldfastError where error.code == .unreadableDocument {
      do {
        return try readApp(at: path, named: name, journals: journals)
          .importRecords(isDryRun: isDryRun, now: now)
      } catch HoldfastError.Code.foreignDocument {
        throw error
      }
    }
    var report = try importData(document, isDryRun: isDryRun, now: now)
    report.notes = document.remarks.map(\.sentence)
    return report
  }
}
