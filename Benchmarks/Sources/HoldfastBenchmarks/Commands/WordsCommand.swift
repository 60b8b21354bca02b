import ArgumentParser
import Foundation

/// `scripts/bench words`
struct WordsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "words",
    abstract: "Time searches of spoken words, against sqlite3 and an FTS5 table of the same texts.",
    discussion: """
      Prints medians in milliseconds. The limit is 100 ms, and 1 s for more than 100,000 \
      recordings. The exit status is 1 if a search takes longer.
      """)

  /// A word of one recording in five, of one in 2000, and of each; two of them; and none.
  private static let searches = ["walk", "lighthouse", "be", "walk be", "nowhere"]

  @Option(help: "The number of recordings, each with a transcript of 300 words.")
  var recordings = 100_000

  @Argument(help: "A library with transcripts. Without one, scripts/make-catalog makes one.")
  var library: String?

  func run() throws {
    let isFast = try Workbench.with(MeasuringOptions.parse([])) { bench in
      try measure(in: library ?? bench.makeWords("library", recordings: recordings), on: bench)
    }
    if !isFast { throw ExitCode.failure }
  }

  private func measure(in library: String, on bench: Workbench) throws -> Bool {
    try bench.run([bench.holdfast, "doctor", "--reindex", "--quiet", "--library", library])
    let table = "\(bench.folder)/words.sqlite"
    try bench.run([
      "sqlite3", "-batch", "-bail", table,
      """
      PRAGMA synchronous = OFF;
      ATTACH '\(library)/catalog.sqlite' AS catalog;
      CREATE VIRTUAL TABLE words USING fts5(text);
      INSERT INTO words
        SELECT group_concat(text, ' ') FROM catalog.transcriptSegment GROUP BY transcriptId;
      INSERT INTO words (words) VALUES ('optimize');
      """,
    ])
    var isFast = true
    print(Contest.queryTableHead)
    for search in Self.searches {
      let contest = Contest(
        what: "list --search '\(search)'", items: 1,
        ours: Contestant(
          name: "holdfast",
          command: [bench.holdfast, "list", "--search", search, "--quiet", "--library", library]),
        rivals: [
          Rival(
            "sqlite3", .timesAsLong(0, plus: recordings > 100_000 ? 1 : 0.1),
            [
              "sqlite3", "-batch", table,
              """
              SELECT rowid, snippet(words, 0, '[', ']', '…', 15) FROM words
              WHERE words MATCH '\(search)' ORDER BY rank LIMIT 20
              """,
            ])
        ], rounds: 15)
      isFast = try contest.printRow(on: bench) && isFast
    }
    return isFast
  }
}
