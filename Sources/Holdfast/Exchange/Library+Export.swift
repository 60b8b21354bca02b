public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

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
  /// - Returns: The kinds of records in the order of the document, and the number of each.
  /// - Throws: ``LibraryError``, also when the library has a journal that the program does not know,
  ///   because its records would be left out; `CancellationError`, and whatever `write` throws.
  /// - SeeAlso: `ExportDocument`
  @discardableResult
  public func exportDocument(_ write: (Data) throws -> Void) throws -> [(RecordKind, Int)] {
    try LibraryError.translating {
      let kinds = try catalog.exportedKinds()
      let versions = kinds.map { "\"\($0.kind.name)\":\($0.version)" }.joined(separator: ",")
      try write(
        Data(
          "{\"format\":\"\(ExportDocument.format)\",\"schemaVersion\":\(ExportDocument.schemaVersion),\n\"versions\":{\(versions)}"
            .utf8))
      let counts = try kinds.map { kind in
        try write(Data(",\n\"\(kind.kind.name)\":[".utf8))
        var separator = "\n"
        let count = try forEachPage(of: kind, as: .json) { records in
          var piece = Data()
          for record in records {
            piece.append(contentsOf: separator.utf8)
            piece.append(record)
            separator = ",\n"
          }
          try write(piece)
        }
        try write(Data("]".utf8))
        return (kind.kind, count)
      }
      try write(Data("}\n".utf8))
      return counts
    }
  }

  /// Exports one JSON document into a new file that only its owner can read.
  ///
  /// - Parameter path: The path of the file. Nothing may be there yet.
  /// - Returns: The kinds of records in the order of the document, and the number of each.
  /// - Throws: ``LibraryError``, also when the file cannot be made or written;
  ///   `CancellationError`. No file is left behind, unless only its folder could not be synced.
  @discardableResult
  public func exportDocument(toFile path: String) throws -> [(RecordKind, Int)] {
    try LibraryError.translating {
      let file = try NewFile(at: SourcePath(path))
      let counts = try exportDocument { data in try file.write(ArraySlice(data)) }
      try file.commit()
      return counts
    }
  }

  /// Exports tables of comma-separated values, one file for each kind of record, into a folder that
  /// only its owner can read.
  ///
  /// - Parameters:
  ///   - path: The path of the folder. It is made, or must be empty.
  ///   - includesPrivate: Whether the tables have private records too.
  /// - Returns: The kinds of records in the order of a document, and the number of each.
  /// - Throws: ``LibraryError``, also when the files cannot be made or written;
  ///   `CancellationError`. No table is left behind, except those that were complete when a later one
  ///   could not be given its name.
  @discardableResult
  public func exportTables(
    toFolder path: String, includingPrivate includesPrivate: Bool = false
  ) throws -> [(RecordKind, Int)] {
    try LibraryError.translating {
      let kinds = try catalog.exportedKinds()
      let folder = try NewFolder(at: SourcePath(path))
      var files: [NewFile] = []
      let counts = try kinds.map { kind in
        let file = try folder.makeFile(named: "\(kind.kind.name).csv")
        files.append(file)
        try file.write(ArraySlice(kind.header.utf8))
        let count = try forEachPage(of: kind, as: .csv(includingPrivate: includesPrivate)) { rows in
          try file.write(ArraySlice(rows.joined()))
        }
        return (kind.kind, count)
      }
      for file in files { try file.commit() }
      return counts
    }
  }

  /// Calls `body` with each page of a kind's records until there are no more.
  ///
  /// - Returns: The number of records.
  private func forEachPage(
    of kind: ExportedKind, as form: ExportForm, _ body: ([Data]) throws -> Void
  ) throws -> Int {
    var count = 0
    var last: String?
    while true {
      try Task.checkCancellation()
      guard let page = try catalog.exportPage(of: kind.kind, as: form, after: last)
      else { return count }
      count += page.records.count
      last = page.last
      try body(page.records)
    }
  }
}
