import Foundation
import HoldfastTestSupport
import Testing

extension LibraryFolder {
  var wordIndex: String { "\(path)/.cache/words.sqlite" }

  /// Writes a transcript into the catalog with sqlite3: a sentence every ten seconds.
  func say(_ sentences: [String], in id: String, source: String = "program") async throws {
    let person = source == "person" ? "'2026-01-01 00:00:00.000'" : "NULL"
    var sql = """
      PRAGMA foreign_keys = ON; BEGIN;
      INSERT INTO transcript (id, state, source, program, isLanguageDoubtful, createdAt, modifiedAt)
      VALUES
        ('\(id)', 'words', '\(source)', 'whisper-cli', 0, '2026-01-01 00:00:00.000', \(person));

      """
    for (number, sentence) in sentences.enumerated() {
      let text = sentence.replacing("'", with: "''")
      sql += """
        INSERT INTO transcriptSegment (transcriptId, position, startTime, endTime, text)
        VALUES ('\(id)', \(number), \(number * 10_000), \(number * 10_000 + 9000), '\(text)');

        """
    }
    try await changeCatalog(sql + "COMMIT;")
  }

  /// Adds a recording to the catalog with sqlite3, without a file, and returns its id.
  func addRow(_ timestamp: String, like id: String) async throws -> String {
    let new = UUID().uuidString
    try await changeCatalog(
      """
      CREATE TEMP TABLE new AS SELECT * FROM recording WHERE id = '\(id)';
      UPDATE new SET id = '\(new)', timestamp = '\(timestamp)', filePath = replace(filePath,
        '\(id)', '\(new)'), sourceSHA256 = hex(randomblob(32)) COLLATE NOCASE;
      UPDATE new SET sourceSHA256 = lower(sourceSHA256);
      INSERT INTO recording SELECT * FROM new;
      """)
    return new
  }

  /// The terms of the index, as SQLite's own table shows them.
  func terms() async throws -> [String] {
    let answer = try await Command.output(
      of: "sqlite3",
      [
        "-batch", wordIndex,
        """
        CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, words, row);
        SELECT term FROM terms;
        """,
      ])
    return answer.output.split(separator: "\n").map(String.init)
  }
}

struct FoundLine: Decodable {
  struct Hit: Decodable {
    var start: Double
    var text: String
    var ranges: [[Int]]
    var isByComputer: Bool
  }
  var id: String
  var hits: [Hit]?
}
