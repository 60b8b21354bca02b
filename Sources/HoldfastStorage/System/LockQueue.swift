import HoldfastModel

/// A limited wait for a file's `flock`, which reports that it is waiting.
final class LockQueue {
  /// The longest sleep while the file is watched, in milliseconds.
  ///
  /// It bounds how late two things are noticed: that the task was cancelled, once the wait has
  /// lasted ``LockTimeoutPolicy/unnoticed`` seconds; and that the holder has released the lock
  /// without closing the file or ending.
  private static let longestNap: Int32 = 200
  /// The longest sleep in milliseconds where the system cannot watch another file.
  private static let nap: Int32 = 20
  /// The length of the retries before the file is watched, in seconds. Nearly every step is over by
  /// then, and the kernel takes ten milliseconds to end a watch.
  private static let briefly = 0.1
  /// The first and the longest sleep between these retries, in milliseconds.
  private static let briefNaps: (first: Int32, last: Int32) = (1, 8)

  let patience: LockTimeoutPolicy
  let library: String
  let isCancelled: () -> Bool
  private let begin = SuspendingClock.now
  private var hasNoticed = false

  init(_ patience: LockTimeoutPolicy, library: String, isCancelled: @escaping () -> Bool) {
    self.patience = patience
    self.library = library
    self.isCancelled = isCancelled
  }

  /// Waits until it has the lock.
  ///
  /// `flock` itself waits for ever, or not at all. So this method first retries for a moment. Then
  /// it waits for a process to close the file, because every process that releases the lock closes
  /// it.
  func wait(for file: OpenFile) throws {
    if try SystemCalls.tryLock(file) { return }
    var briefNap = Self.briefNaps.first
    while waited < Self.briefly {
      SystemCalls.wait(for: nil, milliseconds: min(briefNap, Int32(try rest(file) * 1000) + 1))
      if try SystemCalls.tryLock(file) { return }
      briefNap = min(briefNap * 2, Self.briefNaps.last)
    }
    let watch = SystemCalls.watchClosing(of: file)
    // Try once more first: the lock may have been released before the watch began.
    while try !SystemCalls.tryLock(file) {
      let rest = try rest(file)
      let nap = watch == nil ? Self.nap : Self.longestNap
      SystemCalls.wait(for: watch, milliseconds: min(nap, Int32(rest * 1000) + 1))
    }
  }

  private var waited: Double { (SuspendingClock.now - begin) / .seconds(1) }

  /// Returns how many seconds to wait before the next check. Throws when the wait must end.
  private func rest(_ file: OpenFile) throws -> Double {
    let waited = waited
    let left = patience.seconds - waited
    guard left > 0 else {
      throw HoldfastError(
        LockTimeout(library: library, seconds: patience.seconds, holder: .holding(file)))
    }
    guard waited >= LockTimeoutPolicy.unnoticed else {
      return min(left, LockTimeoutPolicy.unnoticed - waited)
    }
    if isCancelled() { throw CancellationError() }
    if !hasNoticed {
      hasNoticed = true
      patience.notice(LockWait(library: library, holder: .holding(file)))
    }
    return min(left, 60)
  }
}
