import HoldfastStorage
import Synchronization

/// A folder in staging that was made before it is needed. The files of one library are then put together while those of
/// the library before it are published, which holds the lock.
final class SpareStaging: Sendable {
  private let staging: Mutex<Staging?>

  init(_ staging: Staging) { self.staging = Mutex(staging) }

  /// Returns the folder, once.
  func take() -> Staging? { staging.withLock { $0.take() } }
}
