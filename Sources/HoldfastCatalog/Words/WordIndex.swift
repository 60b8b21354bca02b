package import Foundation
import GRDB
package import HoldfastModel

/// An index of spoken words in an SQLite file of its own.
///
/// FTS5 keeps the words without their text (`content=''`). Its rows are numbered in the order of
/// the recordings' dates, so that the newest come first when the numbers descend; recordings that
/// were added later follow. The tokenizer splits at spaces only, because the text is folded and
/// split before (``FoldedWords``), no matter which Unicode this SQLite knows.
///
/// `user_version` is 0 while the file is being filled. A process that is killed meanwhile leaves a
/// file that no one uses. So no journal is needed, which could be taken for that of another file of
/// the same name.
package struct WordIndex: Sendable {
  /// What a file is an index of.
  package struct State: Hashable, Sendable {
    package var library: UUID
    package var generation: WordGeneration
    /// The number of rows that are in the order of the recordings' dates.
    var sorted: Int
    package var rows: Int
  }

  private static let applicationID: Int32 = 0x484F_4C57
  private static let format: Int32 = 1
  /// The newest recordings, among which the best are looked for.
  package static let newest = 1000

  private let queue: DatabaseQueue
  private let name: String
  package let state: State

  /// Opens the index at `path`.
  ///
  /// - Throws: `HoldfastError` for anything that is not a complete index, or is being filled.
  package init(path: String) throws(HoldfastError) {
    name = path
    (queue, state) = try catalogErrors(path) {
      let queue = try DatabaseQueue(checkedAt: path, Self.configuration(isReading: true))
      return (queue, try queue.unsafeRead(Self.state))
    }
  }

  private static func configuration(isReading: Bool) -> Configuration {
    var configuration = Configuration()
    configuration.label = "Index of words"
    configuration.busyMode = .timeout(2)
    configuration.prepareDatabase { db in
      try db.harden()
      try db.execute(sql: "PRAGMA temp_store = MEMORY")
      if isReading {
        try db.execute(sql: "PRAGMA query_only = ON")
      } else {
        try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = MEMORY")
      }
    }
    return configuration
  }

  private static func state(_ db: Database) throws -> State {
    guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == applicationID,
      try Int32.fetchOne(db, sql: "PRAGMA user_version") == format,
      let row = try Row.fetchOne(db, sql: "SELECT * FROM state"),
      let library = UUID(uuidString: row["library"] ?? "")
    else { throw DatabaseError(resultCode: .SQLITE_NOTADB) }
    return State(
      library: library,
      generation: WordGeneration(added: row["added"] ?? -1, removed: row["removed"] ?? -1),
      sorted: row["sorted"] ?? 0, rows: row["rows"] ?? 0)
  }

  // MARK: Filling

  /// Fills an empty file.
  ///
  /// - Parameters:
  ///   - words: The catalog's words.
  ///   - generation: The catalog's generation before `recordings` were listed.
  ///   - recordings: The recordings that have words, newest first.
  ///   - progress: Called with the number of recordings that are done.
  package static func fill(
    _ path: String, of library: UUID, with words: WordTable, _ generation: WordGeneration,
    recordings: [String], progress: (Int) -> Void = { _ in }
  ) throws {
    let queue = try catalogErrors(path) {
      try DatabaseQueue(checkedAt: path, configuration(isReading: false))
    }
    try queue.writeWithoutTransaction { db in
      // It is synced as a whole before it gets its name.
      try db.execute(sql: "PRAGMA synchronous = OFF")
      try db.inTransaction {
        try db.execute(
          sql: """
            PRAGMA application_id = \(applicationID);
            CREATE TABLE state (library TEXT NOT NULL, added INTEGER NOT NULL,
              removed INTEGER NOT NULL, sorted INTEGER NOT NULL, rows INTEGER NOT NULL) STRICT;
            CREATE TABLE entry (row INTEGER PRIMARY KEY, id TEXT NOT NULL) STRICT;
            CREATE VIRTUAL TABLE words USING fts5(text, content='', tokenize='ascii');
            """)
        let rows = try add(recordings.reversed(), after: 0, from: words, in: db, progress: progress)
        try db.execute(sql: "INSERT INTO words (words) VALUES ('optimize')")
        try db.execute(
          sql: "INSERT INTO state VALUES (?, ?, ?, ?, ?)",
          arguments: [library.uuidString, generation.added, generation.removed, rows, rows])
        try db.execute(sql: "PRAGMA user_version = \(format)")
        return .commit
      }
    }
    try queue.close()
  }

  /// Adds the words that a catalog got since the index was filled.
  ///
  /// - Parameters:
  ///   - words: The catalog's words.
  ///   - generation: The catalog's generation. Its count of removed words is that of the index.
  package static func add(
    to path: String, from words: WordTable, _ generation: WordGeneration
  ) throws {
    let queue = try catalogErrors(path) {
      try DatabaseQueue(checkedAt: path, configuration(isReading: false))
    }
    try queue.writeWithoutTransaction { db in
      // It keeps the lock from here on. So the next process that sees 0 knows that this one died.
      var old: State?
      try db.inTransaction(.immediate) {
        let state = try Self.state(db)
        guard state.generation.removed == generation.removed,
          state.generation.added < generation.added
        else { return .rollback }
        old = state
        try db.execute(sql: "PRAGMA user_version = 0")
        return .commit
      }
      guard let old else { return }
      try db.inTransaction {
        let recordings = try words.recordings(
          addedAfter: old.generation.added, through: generation.added)
        let rows = try add(recordings, after: old.rows, from: words, in: db)
        try db.execute(
          sql: "UPDATE state SET added = ?, rows = ?", arguments: [generation.added, rows])
        return .commit
      }
      try db.execute(sql: "PRAGMA user_version = \(format)")
    }
    try queue.close()
  }

  /// Returns the number of the last row.
  private static func add(
    _ recordings: some Collection<String>, after row: Int, from words: WordTable, in db: Database,
    progress: (Int) -> Void = { _ in }
  ) throws -> Int {
    var row = row
    let entry = try db.makeStatement(sql: "INSERT INTO entry VALUES (?, ?)")
    let text = try db.makeStatement(sql: "INSERT INTO words (rowid, text) VALUES (?, ?)")
    try words.forEachText(of: recordings) { id, words in
      row += 1
      try entry.execute(arguments: [row, id])
      try text.execute(arguments: [row, words.text])
      if row.isMultiple(of: WordTable.longestPage) { progress(row) }
      return true
    }
    return row
  }

  // MARK: Searching

  /// Returns the newest recordings that have all phrases: ``newest`` of those whose order is known,
  /// and those that were added since.
  package func newest(_ query: SpokenQuery) throws(HoldfastError) -> [String] {
    try recordings(
      of: query, until: Self.newest,
      """
      SELECT id FROM (SELECT rowid FROM words WHERE words MATCH ?1 AND rowid > ?2) CROSS JOIN entry
      ON row = rowid
      UNION ALL
      SELECT id FROM (SELECT rowid FROM words WHERE words MATCH ?1 AND rowid <= ?2
        ORDER BY rowid DESC LIMIT ?3) CROSS JOIN entry ON row = rowid
      """, [state.sorted, Self.newest])
  }

  /// Returns all recordings that have all phrases.
  package func all(_ query: SpokenQuery) throws(HoldfastError) -> [String] {
    try recordings(
      of: query, until: .max,
      "SELECT id FROM words CROSS JOIN entry ON row = words.rowid WHERE words MATCH ?")
  }

  /// Returns those of the newest recordings in which the phrases weigh most, best first.
  package func best(_ query: SpokenQuery, limit: Int) throws(HoldfastError) -> [String] {
    try recordings(
      of: query, until: 1,
      """
      SELECT id FROM (SELECT rowid, bm25(words) AS weight FROM words WHERE words MATCH ?
        ORDER BY rowid DESC LIMIT ?) CROSS JOIN entry ON row = rowid
      ORDER BY weight, row DESC LIMIT ?
      """, [Self.newest, limit])
  }

  /// - Parameter enough: The number of recordings that is enough. If fewer have the whole words,
  ///   words that begin with the last one are found as well, then all that stands for the words.
  private func recordings(
    of query: SpokenQuery, until enough: Int, _ sql: String,
    _ arguments: [any DatabaseValueConvertible] = []
  ) throws(HoldfastError) -> [String] {
    func recordings(_ expression: String) throws(HoldfastError) -> [String] {
      try catalogErrors(name) {
        try queue.unsafeRead { db in
          try String.fetchAll(
            db, sql: sql, arguments: StatementArguments([expression] + arguments))
        }
      }.filter { UUID(uuidString: $0) != nil }
    }
    var found: [String] = []
    for expression in query.matchExpressions.suffix(enough == .max ? 1 : .max) {
      found = try recordings(expression)
      if found.count >= enough { break }
    }
    return found
  }

  // MARK: Checking

  /// Returns what is wrong with the index; `nil` if it is sound.
  ///
  /// - Parameter recordings: How many recordings it must have; `nil` if that is not known.
  package static func fault(
    at path: String, with recordings: Int?
  ) throws(HoldfastError) -> String? {
    try catalogErrors(path) {
      let queue = try DatabaseQueue(checkedAt: path, configuration(isReading: false))
      return try queue.writeWithoutTransaction { db in
        try db.execute(sql: "INSERT INTO words (words) VALUES ('integrity-check')")
        if let fault = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)"), fault != "ok" {
          return fault
        }
        let entries = try Int.fetchOne(db, sql: "SELECT count(*) FROM entry")
        let rows = try Int.fetchOne(db, sql: "SELECT count(*) FROM words_docsize")
        let state = try Self.state(db)
        guard entries == rows, entries == state.rows, entries == recordings ?? entries else {
          return "it has \(rows ?? 0) recordings, not \(recordings ?? state.rows)"
        }
        return nil
      }
    }
  }
}
