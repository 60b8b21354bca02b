public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// The search for spoken words.
///
/// ``recordings(matching:)`` finds them already. These functions show where they were said.
extension Library {
  /// Returns where the words of a search were said, for the recordings of a page.
  ///
  /// - Parameters:
  ///   - text: The search text.
  ///   - recordings: The recordings. The transcripts of all are read, so it should be one page.
  ///   - limit: The most lines for each recording.
  /// - Returns: The lines with the most of the words, in the order in which they were said. A
  ///   recording that was found only by its title, notes or file's name has none.
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func spokenHits(
    of text: String, in recordings: [RecordingID], limit: Int = 5
  ) throws -> [RecordingID: [SpokenHit]] {
    let query = SpokenQuery(text)
    guard !query.phrases.isEmpty else { return [:] }
    var hits: [RecordingID: [SpokenHit]] = [:]
    var rest = recordings.map(\.uuidString)[...]
    while !rest.isEmpty {
      let page = rest.prefix(WordTable.longestPage)
      rest = rest.dropFirst(page.count)
      let people = try catalog.words.recordings(writtenByPersonAmong: page)
      for (id, segments) in try catalog.words.segments(of: page) {
        var found = query.hits(in: segments, limit: limit)
        for index in found.indices { found[index].isByComputer = !people.contains(id) }
        if let id = UUID(uuidString: id), !found.isEmpty { hits[id] = found }
      }
    }
    return hits
  }

  /// Returns the recording in which the words of a search were most likely said on purpose, and
  /// where: among the newest in which all of them were said, the one in which they weigh most and
  /// stand together.
  ///
  /// - Parameters:
  ///   - text: The search text.
  ///   - id: The only recording to look in; `nil` for all of them.
  /// - Returns: `nil` if they were not all said in one recording.
  /// - Throws: `HoldfastError` when the catalog cannot be read; `CancellationError`.
  public func bestSpokenHit(
    of text: String, in id: RecordingID? = nil
  ) throws -> (recording: Recording, hit: SpokenHit)? {
    let query = SpokenQuery(text)
    let search = SpokenSearch(library: self, query: query)
    let found =
      if let id { try search.found(among: [id.uuidString], limit: 1) } else {
        try search.best(limit: Self.mostBest)
      }
    let best = found.compactMap(UUID.init(uuidString:))
    let hits = try spokenHits(of: text, in: best, limit: 1)
    let scored = best.compactMap { id in
      hits[id]?.first.map { (id: id, hit: $0, score: query.score(of: $0)) }
    }
    // Of equal ones, the first.
    guard let highest = scored.map(\.score).max(),
      let first = scored.first(where: { $0.score == highest }),
      let recording = try recording(id: first.id)
    else { return nil }
    return (recording, first.hit)
  }

  private static let mostBest = 20

  /// Whether the index of spoken words is missing or stale, and the library too large for a search
  /// to make it. The search is then right, but slower, until ``reindexWords(_:)``.
  ///
  /// - Throws: `HoldfastError` when the catalog cannot be read.
  public func isWordIndexDue() throws -> Bool {
    try SpokenIndex(tree: tree, catalog: catalog).isDue()
  }

  /// Makes the index of spoken words again. Other commands can go on meanwhile.
  ///
  /// - Parameter progress: Called with the number of transcripts that are done, and of all.
  /// - Returns: How many transcripts it has.
  /// - Throws: `HoldfastError` when the catalog cannot be read or the index not be written;
  ///   `CancellationError`. The index is then as it was.
  @discardableResult
  public func reindexWords(
    _ progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }
  ) throws -> Int {
    _ = try writableTree()
    return try SpokenIndex(tree: tree, catalog: catalog).fill(progress)
  }

  func spoken(for query: RecordingQuery) throws -> [String] {
    guard let text = query.search else { return [] }
    return try SpokenSearch(library: self, query: SpokenQuery(text)).recordings(for: query)
  }
}

/// Captions for players outside Holdfast.
extension Library {
  /// Writes a file with captions for each recording that has words, named after the recording's
  /// file, into a folder that only its owner can read.
  ///
  /// - Parameters:
  ///   - path: The path of the folder. It is made, or must be empty.
  ///   - format: The format of the files.
  /// - Returns: The number of files.
  /// - Throws: `HoldfastError`, also when a file cannot be made or written; `CancellationError`.
  ///   The files that were complete are then left behind.
  @discardableResult
  public func exportCaptions(toFolder path: String, as format: Captions.Format) throws -> Int {
    let folder = try NewFolder(at: SourcePath(path))
    var count = 0
    var rest = try catalog.words.recordings()[...]
    while !rest.isEmpty {
      let page = rest.prefix(WordTable.longestPage)
      rest = rest.dropFirst(page.count)
      let segments = try catalog.words.segments(of: page)
      let people = try catalog.words.recordings(writtenByPersonAmong: page)
      for id in page {
        try Task.checkCancellation()
        guard let segments = segments[id],
          let recording = try UUID(uuidString: id).flatMap(recording)
        else { continue }
        let captions = Captions(segments, isByComputer: !people.contains(id))
        let name = recording.filePath.name.prefix { $0 != "." }
        let file = try folder.makeFile(named: "\(name).\(format.rawValue)")
        try file.write(ArraySlice(captions.text(as: format).utf8))
        try file.commit()
        count += 1
      }
    }
    return count
  }
}
