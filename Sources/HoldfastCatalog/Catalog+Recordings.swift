public import Foundation
internal import GRDB
public import HoldfastModel

extension Catalog {
  /// Inserts rows for `recordings`: all of them, or none.
  ///
  /// - Parameter recordings: Recordings whose files are complete and durable.
  /// - Throws: ``CatalogError``, with ``CatalogError/Code/refused`` when a row breaks a rule of the
  ///   schema.
  public func insert(_ recordings: [Recording]) throws(CatalogError) {
    try write { db in
      for recording in recordings { try RecordingRow(recording).insert(db) }
    }
  }

  /// The recordings that `query` asks for, in its order.
  ///
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func recordings(matching query: RecordingQuery) throws(CatalogError) -> [Recording] {
    try read(query.page.fetchAll).map(\.recording)
  }

  /// How many recordings `query` asks for, whatever its limit and offset.
  ///
  /// - Throws: ``CatalogError``.
  public func count(matching query: RecordingQuery) throws(CatalogError) -> Int {
    try read(query.matches.fetchCount)
  }

  /// The recording with this ID; `nil` if there is none.
  ///
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func recording(id: RecordingID) throws(CatalogError) -> Recording? {
    try read(RecordingRow.filter(RecordingRow.Columns.id == id.uuidString).fetchOne)?.recording
  }

  /// Whether there is a row for this ID, readable or not.
  ///
  /// - Throws: ``CatalogError``.
  public func hasRecording(id: RecordingID) throws(CatalogError) -> Bool {
    try !read(RecordingRow.filter(RecordingRow.Columns.id == id.uuidString).isEmpty)
  }

  /// The recordings whose ID begins with `prefix`, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - prefix: Hexadecimal digits of either case, and dashes in their places. Nothing begins with
  ///     anything else, or with an empty prefix.
  ///   - limit: How many are answered at most: 2 tell whether the prefix is ambiguous.
  /// - Throws: ``CatalogError``, also when one of the rows cannot be read.
  public func recordings(
    idPrefix prefix: String, limit: Int
  ) throws(CatalogError) -> [Recording] {
    let isPlausible = prefix.unicodeScalars.allSatisfy {
      $0 == "-" || ($0.isASCII && $0.properties.isASCIIHexDigit)
    }
    guard !prefix.isEmpty, isPlausible else { return [] }
    let first = prefix.uppercased()
    // A range of the primary key's index. "G" comes after every character of an ID.
    let ids = RecordingRow.Columns.id >= first && RecordingRow.Columns.id < first + "G"
    return try read(
      RecordingRow.filter(ids).order(RecordingRow.Columns.id).limit(max(limit, 0)).fetchAll
    ).map(\.recording)
  }

  /// The recording that was made from a source with this hash, or whose own file has it.
  ///
  /// - Parameter hash: SHA-256 of a file that may be known already.
  /// - Returns: The first part, if there are several; `nil` if the file is not known.
  /// - Throws: ``CatalogError``, also when the row cannot be read.
  public func recording(ofSource hash: SHA256Digest) throws(CatalogError) -> Recording? {
    let isKnown =
      RecordingRow.Columns.sourceSHA256 == hash.hexadecimal
      || RecordingRow.Columns.fileSHA256 == hash.hexadecimal
    return try read(
      RecordingRow.filter(isKnown).order(RecordingRow.Columns.part, RecordingRow.Columns.id)
        .fetchOne)?.recording
  }
}
