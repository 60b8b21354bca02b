import HoldfastStorage
import Synchronization

/// A folder in staging that is made before it is needed. While one library's files are published,
/// which holds the lock, the next library's files are put together in it.
final class FirstBatchStaging: Sendable {
  private let staging: Mutex<Staging?>

  init(_ staging: Staging) { self.staging = Mutex(staging) }

  /// Returns the folder, once.
  func claim() -> Staging? { staging.withLock { $0.take() } }
}
