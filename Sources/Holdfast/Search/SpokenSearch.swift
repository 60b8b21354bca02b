import Foundation
import HoldfastCatalog
import HoldfastModel

/// Finds the recordings in which words were said: by the index, or without one by reading the
/// catalog's transcripts.
struct SpokenSearch {
  let library: Library
  let query: SpokenQuery

  private var words: WordTable { library.catalog.words }
  private var index: SpokenIndex { SpokenIndex(tree: library.tree, catalog: library.catalog) }

  /// The longest page that is found among the newest recordings of the index.
  private static let longestPage = WordIndex.newest / 2

  /// Returns the recordings for a list: all, or at least those that are on its page.
  func recordings(for list: RecordingQuery) throws -> [String] {
    var most: Int?
    if list.sort == .recent, list.until == nil, list.type == nil, list.purpose == nil,
      let limit = list.limit, limit <= Self.longestPage, list.offset <= Self.longestPage - limit
    {
      most = max(limit, 0) + max(list.offset, 0)
    }
    return try searching { index in
      let found = try index.newest(query)
      return found.count < WordIndex.newest || most != nil ? found : try index.all(query)
    } orScanning: {
      try scan(limit: most)
    }
  }

  /// Returns some of the recordings in which the words weigh most, best first.
  func best(limit: Int) throws -> [String] {
    try searching {
      try $0.best(query, limit: limit)
    } orScanning: {
      try scan(limit: limit)
    }
  }

  private func searching(
    _ search: (WordIndex) throws -> [String], orScanning scan: () throws -> [String]
  ) throws -> [String] {
    guard !query.phrases.isEmpty else { return [] }
    guard let index = try index.current() else { return try scan() }
    do { return try search(index) } catch let error as HoldfastError {
      if error.code != .busy { self.index.remove() }
      return try scan()
    }
  }

  /// Reads the transcripts, newest first, until enough are found.
  private func scan(limit: Int?) throws -> [String] {
    try found(among: words.recordings(), limit: limit)
  }

  /// Reads the transcripts of some recordings until enough are found.
  func found(among recordings: [String], limit: Int?) throws -> [String] {
    guard !query.phrases.isEmpty else { return [] }
    var found: [String] = []
    try words.forEachText(of: recordings) { id, text in
      if query.isFound(in: text) { found.append(id) }
      return found.count < limit ?? .max
    }
    return found
  }
}
