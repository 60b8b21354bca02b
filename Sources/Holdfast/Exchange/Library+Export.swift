public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// The result of an export.
public struct ExportReport: Sendable {
  /// The kinds of records in the order of a document, and the number of each.
  public internal(set) var counts: [(kind: RecordKind, count: Int)] = []
  /// The kinds that lack records because their journal was disabled during the export.
  public internal(set) var cut: [ExportReader.CutKind] = []
  /// The files of recordings that could not be exported, by their paths in the library.
  public internal(set) var missing: [(path: String, error: HoldfastError)] = []
  /// The kinds that the form of the export cannot hold, and the number of each that it lacks.
  public internal(set) var leftOut: [(kind: RecordKind, count: Int)] = []

  fileprivate mutating func add(_ reader: ExportReader) {
    counts += reader.counts
    cut += reader.cut
  }
}

/// Exports everything in a library except the media, for use by other programs.
///
/// Rows are read in pages, in the order of their IDs. So memory does not grow with the library, and
/// no writer has to wait. A record that exists during the whole export is in it once, as it was
/// before or after a change. A record that is added or deleted meanwhile may be in the export or
/// not. So a craving may name a recording that is not in the export. An import of the export leaves
/// that link out. The export checks for cancellation before each page.
extension Library {
  /// Exports one JSON document, piece by piece.
  ///
  /// - Parameter write: Called with each next piece of the document.
  /// - Returns: A report of the export.
  /// - Throws: `HoldfastError`, also when the library has a journal that the program does not
  ///   know, because its records would be left out; `CancellationError`, and whatever `write`
  ///   throws.
  /// - SeeAlso: `ExportDocument`
  @discardableResult
  public func exportDocument(_ write: (Data) throws -> Void) throws -> ExportReport {
    var reader = try exportedDocument()
    while let piece = try reader.next() { try write(piece) }
    var report = ExportReport()
    report.add(reader)
    return report
  }

  /// Returns one JSON document, to be read piece by piece.
  ///
  /// - Throws: `HoldfastError`, as ``exportDocument(_:)`` does.
  public func exportedDocument() throws -> ExportReader {
    ExportReader(of: self, try catalog.records.exportedKinds(), as: .json)
  }

  /// Returns a table of comma-separated values, to be read piece by piece.
  ///
  /// - Parameters:
  ///   - kind: The kind of the records.
  ///   - includesPrivate: Whether the table has private records too.
  /// - Throws: `HoldfastError`, also when the library has no such kind.
  public func exportedTable(
    of kind: RecordKind, includingPrivate includesPrivate: Bool = false
  ) throws -> ExportReader {
    let kinds = try catalog.records.exportedKinds().filter { $0.kind == kind }
    guard !kinds.isEmpty else {
      throw HoldfastError(
        .noSuchRecord, "the library has no \(kind.name.cut(to: 40).escapedForDisplay)")
    }
    return ExportReader(of: self, kinds, as: .csv(includingPrivate: includesPrivate))
  }

  /// Returns the JSON Schema (2020-12) of the document of an export.
  ///
  /// - Parameter journals: The journals that the program knows.
  /// - Throws: `HoldfastError` when a journal's tables cannot be made.
  public static func exportSchema(journals: [Journal]) throws -> Data {
    let encoder = JSONFormat.encoder
    encoder.outputFormatting.insert(.prettyPrinted)
    return try encoder.encode(ExportSchema.make(journals: journals)) + Data("\n".utf8)
  }

  /// Returns the kinds of records that an export has, in its order, and how many of each there are.
  ///
  /// - Throws: `HoldfastError`, as ``exportDocument(_:)`` does.
  public func exportedCounts() throws -> [(kind: RecordKind, count: Int)] {
    try catalog.records.exportedKinds().map { ($0.kind, $0.count) }
  }

  /// Exports one JSON document into a new file that only its owner can read.
  ///
  /// - Parameter path: The path of the file. Nothing may be there yet.
  /// - Returns: A report of the export.
  /// - Throws: `HoldfastError`, also when the file cannot be made or written;
  ///   `CancellationError`. No file is left behind, unless only its folder could not be synced.
  @discardableResult
  public func exportDocument(toFile path: String) throws -> ExportReport {
    let file = try NewFile(at: SourcePath(path))
    let report = try exportDocument { data in try file.write(ArraySlice(data)) }
    try file.commit()
    return report
  }

  /// Exports tables of comma-separated values, one file for each kind of record, into a folder that
  /// only its owner can read.
  ///
  /// - Parameters:
  ///   - path: The path of the folder. It is made, or must be empty.
  ///   - includesPrivate: Whether the tables have private records too.
  /// - Returns: A report of the export.
  /// - Throws: `HoldfastError`, also when the files cannot be made or written;
  ///   `CancellationError`. No table is left behind, except those that were complete when a later
  ///   one could not be given its name.
  @discardableResult
  public func exportTables(
    toFolder path: String, includingPrivate includesPrivate: Bool = false
  ) throws -> ExportReport {
    let kinds = try catalog.records.exportedKinds()
    let folder = try NewFolder(at: SourcePath(path))
    var files: [NewFile] = []
    var report = ExportReport()
    for kind in kinds {
      let file = try folder.makeFile(named: "\(kind.kind.name).csv")
      files.append(file)
      var reader = ExportReader(of: self, [kind], as: .csv(includingPrivate: includesPrivate))
      while let piece = try reader.next() { try file.write(ArraySlice(piece)) }
      report.add(reader)
    }
    for file in files { try file.commit() }
    return report
  }
}
