internal import HoldfastModel
internal import Synchronization

/// The sources that a dry run would have imported by now, by their hashes: in an import they would
/// be in the catalog, where the next one like them is looked up.
final class PlannedSources: Sendable {
  private let items = Mutex<[SHA256Digest: ImportItem]>([:])

  /// The source that has this hash; without one, the hash is this item's from now on.
  func item(with hash: SHA256Digest, orElse item: ImportItem) -> ImportItem? {
    items.withLock { items in
      if let first = items[hash] { return first }
      items[hash] = item
      return nil
    }
  }
}
