public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// Everything that a library remembers, for other programs: all but the media.
///
/// Rows are read in pages in the order of their IDs, so that memory does not grow with the library and no
/// writer waits. A record that is there all the time is in the export once, as it was before or after a change;
/// what is added or deleted meanwhile is in the export or not. So a craving may name a recording that is not
/// in the export: whoever imports that leaves the link out. Each page looks whether the task was cancelled.
extension Library {
  /// Exports as one document of JSON.
  ///
  /// - Parameter write: Takes the next piece of the document.
  /// - Returns: How many records of each kind it holds.
  /// - Throws: `CatalogError`, `CancellationError`, and what `write` throws.
  /// - SeeAlso: `ExportDocument`
  public func exportDocument(_ write: (Data) throws -> Void) throws -> [RecordKind: Int] {
    try LibraryError.translating {
      try withoutActuallyEscaping(write) { write in
        try DocumentWriter(write: write).write(catalog)
      }
    }
  }

  /// Exports as one document of JSON, into a new file for its owner alone.
  ///
  /// - Parameter path: The file's path; nothing is there yet.
  /// - Returns: How many records of each kind it holds.
  /// - Throws: As ``exportDocument(_:)`` does, and `StorageError` when the file cannot be made or
  ///   written. No file is left then.
  public func exportDocument(toFile path: String) throws -> [RecordKind: Int] {
    try LibraryError.translating {
      let file = try NewFile(at: SourcePath(path))
      let counts = try exportDocument { data in try file.write(ArraySlice(data)) }
      try file.commit()
      return counts
    }
  }

  /// Exports as tables of comma-separated values: one file for each kind of record, in a folder for
  /// its owner alone.
  ///
  /// - Parameter path: The folder's path; it is made, or is empty.
  /// - Returns: How many records of each kind there are.
  /// - Throws: `CatalogError`, `CancellationError`, and `StorageError` when the files cannot be made
  ///   or written. None of them is left then.
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

/// Writes an export's document, one record a line.
private struct DocumentWriter {
  let write: (Data) throws -> Void
  private let encoder = JSONFormat.encoder

  init(write: @escaping (Data) throws -> Void) { self.write = write }

  func write(_ catalog: Catalog) throws -> [RecordKind: Int] {
    try write(
      "{\"format\":\"\(ExportDocument.format)\",\"schemaVersion\":\(ExportDocument.schemaVersion)")
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

/// Reads page after page until there is none.
///
/// - Returns: How many values there were.
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
