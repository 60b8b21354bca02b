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
  /// - Returns: The number of records of each kind.
  /// - Throws: ``LibraryError``, `CancellationError`, and whatever `write` throws.
  /// - SeeAlso: `ExportDocument`
  public func exportDocument(_ write: (Data) throws -> Void) throws -> [RecordKind: Int] {
    try LibraryError.translating {
      try withoutActuallyEscaping(write) { write in
        try DocumentWriter(write: write).write(catalog)
      }
    }
  }

  /// Exports one JSON document into a new file that only its owner can read.
  ///
  /// - Parameter path: The path of the file. Nothing may be there yet.
  /// - Returns: The number of records of each kind.
  /// - Throws: ``LibraryError``, also when the file cannot be made or written;
  ///   `CancellationError`. No file is left behind, unless only its folder could not be synced.
  public func exportDocument(toFile path: String) throws -> [RecordKind: Int] {
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
  /// - Parameter path: The path of the folder. It is made, or must be empty.
  /// - Returns: The number of records of each kind.
  /// - Throws: ``LibraryError``, also when the files cannot be made or written;
  ///   `CancellationError`. No table is left behind, except those that were complete when a later one
  ///   could not be given its name.
  public func exportTables(toFolder path: String) throws -> [RecordKind: Int] {
    try LibraryError.translating {
      let folder = try NewFolder(at: SourcePath(path))
      var files: [NewFile] = []
      func table<Value>(
        _ kind: RecordKind, _ columns: [CSVColumn<Value>],
        _ page: (UUID?, Int) throws -> [Value]
      ) throws -> Int where Value: Identifiable, Value.ID == UUID {
        let file = try folder.makeFile(named: "\(kind.rawValue).csv")
        files.append(file)
        try file.write(ArraySlice(CSV.header(columns).utf8))
        return try forEachPage(page) { values in
          let rows = values.map { CSV.row(columns, of: $0) }
          try file.write(ArraySlice(rows.joined().utf8))
        }
      }
      let counts: [RecordKind: Int] = [
        .recordings: try table(.recordings, CSV.recordings, catalog.recordings(after:limit:)),
        .cravings: try table(.cravings, CSV.cravings, catalog.cravings(after:limit:)),
        .usage: try table(.usage, CSV.usage, catalog.usage(after:limit:)),
        .messages: try table(.messages, CSV.messages, catalog.messages(after:limit:)),
      ]
      for file in files { try file.commit() }
      return counts
    }
  }
}

/// Writes an export's document, with each record on a line of its own.
private struct DocumentWriter {
  let write: (Data) throws -> Void
  private let encoder = JSONFormat.encoder

  init(write: @escaping (Data) throws -> Void) { self.write = write }

  func write(_ catalog: Catalog) throws -> [RecordKind: Int] {
    try write(
      "{\"format\":\"\(ExportDocument.format)\",\"schemaVersion\":\(ExportDocument.schemaVersion),\n"
        + "\"versions\":{")
    let versions = RecordKind.allCases.map { "\"\($0.rawValue)\":\($0.version)" }
    try write(versions.joined(separator: ",") + "}")
    let counts: [RecordKind: Int] = [
      .recordings: try list(.recordings) { id, limit in
        try catalog.recordings(after: id, limit: limit).map(RecordingDocument.init)
      },
      .cravings: try list(.cravings, catalog.cravings(after:limit:)),
      .usage: try list(.usage, catalog.usage(after:limit:)),
      .messages: try list(.messages, catalog.messages(after:limit:)),
    ]
    try write("}\n")
    return counts
  }

  private func list<Value: DocumentRecord>(
    _ kind: RecordKind, _ page: (UUID?, Int) throws -> [Value]
  ) throws -> Int {
    try write(",\n\"\(kind.rawValue)\":[")
    var separator = "\n"
    let count = try forEachPage(page) { values in
      var piece = Data()
      for value in values {
        piece.append(contentsOf: separator.utf8)
        piece.append(try JSONFormat.data(value, by: encoder))
        separator = ",\n"
      }
      try write(piece)
    }
    try write("]")
    return count
  }

  private func write(_ text: String) throws { try write(Data(text.utf8)) }
}

/// Calls `body` with each page until there are no more.
///
/// - Returns: The number of values.
private func forEachPage<Value>(
  _ page: (UUID?, Int) throws -> [Value], _ body: ([Value]) throws -> Void
) throws -> Int where Value: Identifiable, Value.ID == UUID {
  var count = 0
  var last: UUID?
  while true {
    try Task.checkCancellation()
    let values = try page(last, Catalog.longestPage)
    guard let end = values.last else { return count }
    last = end.id
    count += values.count
    try body(values)
  }
}
