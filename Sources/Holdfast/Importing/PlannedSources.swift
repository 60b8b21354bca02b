import HoldfastModel
import Synchronization

/// The sources that a dry run would have imported so far, by their hashes. An import looks for
/// duplicates in the catalog instead.
final class PlannedSources: Sendable {
  private let items = Mutex<[SHA256Digest: ImportItem]>([:])

  /// Returns the earlier source with this hash. If there is none, records `item` under the hash and
  /// returns `nil`.
  func item(with hash: SHA256Digest, orElse item: ImportItem) -> ImportItem? {
    items.withLock { items in
      if let first = items[hash] { return first }
      items[hash] = item
      return nil
    }
  }
}
