import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// The library's index of spoken words: found, filled, and removed when it has words that the
/// catalog has not.
///
/// An index that is missing, stale, damaged or locked is never an error: the search reads the
/// catalog instead.
struct SpokenIndex {
  /// The most transcripts that a search indexes itself, which takes less than a second.
  static let mostAtOnce = 2000

  let tree: LibraryTree
  let catalog: Catalog

  private var file: WordIndexFile { tree.wordIndexFile }

  /// Returns an index that has all the words of the catalog, and fills it first if that is quick;
  /// `nil` if there is none.
  func current() throws -> WordIndex? {
    let generation = try catalog.words.generation()
    if let index = open(generation) {
      let missing = generation.added - index.state.generation.added
      if missing == 0 { return index }
      guard missing <= Self.mostAtOnce, mayMake else { return nil }
      try? WordIndex.add(to: file.path, from: catalog.words, generation)
      if try catalog.words.generation().removed != generation.removed { try? file.remove() }
      return open(generation).flatMap { $0.state.generation == generation ? $0 : nil }
    }
    guard mayMake, try !catalog.words.isLarger(than: Self.mostAtOnce) else { return nil }
    do { try fill() } catch is CancellationError { throw CancellationError() } catch { return nil }
    return open(generation)
  }

  /// Whether only ``fill(_:)`` brings an index that a search can use.
  func isDue() throws -> Bool {
    let generation = try catalog.words.generation()
    if let index = open(generation) {
      return generation.added - index.state.generation.added > Self.mostAtOnce
    }
    return try catalog.words.isLarger(than: Self.mostAtOnce)
  }

  /// Makes a new index.
  ///
  /// - Returns: The number of its recordings.
  @discardableResult
  func fill(_ progress: (_ done: Int, _ count: Int) -> Void = { _, _ in }) throws -> Int {
    let generation = try catalog.words.generation()
    let recordings = try catalog.words.recordings(through: generation.added)
    let new = try file.make(removed: generation.removed)
    try WordIndex.fill(
      new.path, of: tree.marker.uuid, with: catalog.words, generation, recordings: recordings
    ) { progress($0, recordings.count) }
    // A folder cannot be replaced by a file.
    try file.removeOther()
    try new.publish()
    // If another command has removed words meanwhile, it may have done so before this had its name.
    if try catalog.words.generation().removed != generation.removed { try file.remove() }
    return recordings.count
  }

  /// Removes the index if words were removed from the catalog since it was filled, or if it cannot
  /// be read; and new ones that a crash has left.
  func removeIfStale() throws {
    let generation = try catalog.words.generation()
    try file.removeUnfinished(exceptOf: generation.removed)
    guard try file.exists() else { return }
    do {
      let state = try WordIndex(path: file.path).state
      if !isOwn(state, generation) { try file.remove() }
    } catch let error where error.code != .busy {
      try file.remove()
    }
  }

  /// Returns what is wrong with the index; `nil` if there is none, or nothing is wrong, or it is in
  /// use.
  func fault() throws -> String? {
    guard try file.isTaken() else { return nil }
    guard try file.exists() else { return "it is not a file" }
    let generation = try catalog.words.generation()
    do throws(HoldfastError) {
      let state = try WordIndex(path: file.path).state
      guard isOwn(state, generation) else { return "it has words that are not in the catalog" }
      let count = state.generation == generation ? try catalog.words.count() : nil
      let fault = try WordIndex.fault(at: file.path, with: count)
      // Another command may have changed both meanwhile.
      return try catalog.words.generation() == generation ? fault : nil
    } catch {
      return error.code == .busy ? nil : error.reason
    }
  }

  /// Removes an index that was found to be damaged.
  func remove() { try? file.remove() }

  private var mayMake: Bool { (try? file.mayMake()) == true }

  private func open(_ generation: WordGeneration) -> WordIndex? {
    guard (try? file.exists()) == true, let index = try? WordIndex(path: file.path),
      isOwn(index.state, generation)
    else { return nil }
    return index
  }

  private func isOwn(_ state: WordIndex.State, _ generation: WordGeneration) -> Bool {
    state.library == tree.marker.uuid && state.generation.removed == generation.removed
      && state.generation.added <= generation.added
  }
}
