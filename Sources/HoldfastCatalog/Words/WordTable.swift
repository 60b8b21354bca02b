import Foundation
import GRDB
package import HoldfastModel

/// How often words were added to a catalog, and how often words may have been removed from it.
package struct WordGeneration: Hashable, Sendable {
  package var added: Int
  package var removed: Int
}

/// The words of a catalog's transcripts, for the search.
///
/// Everything is read in pages, so that no statement makes a writer wait.
package struct WordTable: CatalogPart {
  let catalog: Catalog

  /// The most transcripts that a statement reads.
  package static let longestPage = 200

  package func generation() throws(HoldfastError) -> WordGeneration {
    let row = try read { db in
      try Row.fetchOne(
        db.cachedStatement(sql: "SELECT added, removed FROM wordGeneration"))
    }
    return WordGeneration(added: row?["added"] ?? 0, removed: row?["removed"] ?? 0)
  }

  /// Whether more than `limit` transcripts have words.
  package func isLarger(than limit: Int) throws(HoldfastError) -> Bool {
    try read { db in
      try Bool.fetchOne(
        db, sql: "SELECT count(*) > ? FROM (SELECT 1 FROM transcript LIMIT ?)",
        arguments: [limit, limit + 1])
    } ?? false
  }

  /// Returns how many transcripts have words.
  package func count() throws(HoldfastError) -> Int {
    try read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM transcript WHERE state = 'words'")
    } ?? 0
  }

  /// Returns the recordings that have words, newest first.
  ///
  /// - Parameter revision: Only those whose words were added up to this revision.
  package func recordings(through revision: Int? = nil) throws(HoldfastError) -> [String] {
    var list = RecordList("recording")
    list.filter(
      """
      EXISTS (SELECT 1 FROM transcript WHERE transcript.id = recording.id AND state = 'words'
      AND revision <= ?)
      """, .integer(Int64(revision ?? .max)))
    return try catalog.recordings.ids(of: list)
  }

  /// Returns recordings whose words were added after a revision, in the order of the additions.
  package func recordings(
    addedAfter revision: Int, through last: Int
  ) throws(HoldfastError) -> [String] {
    try read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT id FROM transcript WHERE revision > ? AND revision <= ? AND state = 'words'
          ORDER BY revision
          """, arguments: [revision, last])
    }
  }

  /// Returns the segments of some recordings, at most ``longestPage``.
  package func segments(
    of ids: some Collection<String>
  ) throws(HoldfastError) -> [String: [TranscriptSegment]] {
    let places = ids.map { _ in "?" }.joined(separator: ", ")
    return try read { db in
      var segments: [String: [TranscriptSegment]] = [:]
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT transcriptId, startTime, endTime, text, wordTimes FROM transcriptSegment
          WHERE transcriptId IN (\(places)) ORDER BY transcriptId, position
          """, arguments: StatementArguments(ids.map(\.databaseValue)))
      while let row = try rows.next() {
        segments[row["transcriptId"], default: []].append(
          TranscriptSegment(
            startTime: row["startTime"], endTime: row["endTime"], text: row["text"],
            wordTimes: row["wordTimes"]))
      }
      return segments
    }
  }

  /// Returns the first words of some recordings, at most ``longestPage``. What is read of each is
  /// a few segments.
  package func firstWords(
    of ids: some Collection<String>
  ) throws(HoldfastError) -> [String: FirstWords] {
    let places = ids.map { _ in "?" }.joined(separator: ", ")
    return try read { db in
      var beginnings: [String: (text: String, isByComputer: Bool)] = [:]
      let rows = try Row.fetchCursor(
        db,
        sql: """
          SELECT transcriptId, text, source <> 'person' AS isByComputer
          FROM transcriptSegment JOIN transcript ON transcript.id = transcriptId
          WHERE transcriptId IN (\(places)) AND position < 4 ORDER BY transcriptId, position
          """, arguments: StatementArguments(ids.map(\.databaseValue)))
      while let row = try rows.next() {
        beginnings[row["transcriptId"], default: ("", row["isByComputer"])].text +=
          " \(row["text"] as String)"
      }
      return beginnings.compactMapValues { FirstWords($0.text, isByComputer: $0.isByComputer) }
    }
  }

  /// Returns those of some recordings whose words a person wrote or corrected.
  package func recordings(
    writtenByPersonAmong ids: some Collection<String>
  ) throws(HoldfastError) -> Set<String> {
    let places = ids.map { _ in "?" }.joined(separator: ", ")
    return try read { db in
      try String.fetchSet(
        db, sql: "SELECT id FROM transcript WHERE source = 'person' AND id IN (\(places))",
        arguments: StatementArguments(ids.map(\.databaseValue)))
    }
  }

  /// Reads the words of recordings page by page, folded.
  ///
  /// - Parameter body: Gets a recording and its words; returns whether to go on.
  package func forEachText(
    of ids: some Collection<String>, _ body: (String, FoldedWords) throws -> Bool
  ) throws {
    var folding = ScalarFolding()
    var rest = Array(ids)[...]
    while !rest.isEmpty {
      try Task.checkCancellation()
      let page = rest.prefix(Self.longestPage)
      rest = rest.dropFirst(page.count)
      let segments = try segments(of: page)
      for id in page {
        guard let found = segments[id] else { continue }
        let words = FoldedWords(found.map(\.text).joined(separator: "\n"), &folding)
        guard try body(id, words) else { return }
      }
    }
  }
}

extension Catalog {
  package var words: WordTable { WordTable(catalog: self) }
}

extension Database {
  /// The number of times that words may have been removed from the catalog.
  func removedWords() throws -> Int {
    try Int.fetchOne(cachedStatement(sql: "SELECT removed FROM wordGeneration")) ?? 0
  }
}
