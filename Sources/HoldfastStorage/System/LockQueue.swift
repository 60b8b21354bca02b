internal import HoldfastModel

/// Waiting for a file's `flock`: for so long and no longer, and not in silence.
final class LockQueue {
  /// A holder that neither closes the file nor ends, but only lets go of the lock, is noticed after so
  /// many milliseconds; and so is a cancelled task.
  private static let longestNap: Int32 = 200
  /// The same where the system has nothing left to watch files with.
  private static let nap: Int32 = 20
  /// How long the lock is asked for again and again, in seconds, before the file is watched. Nearly
  /// every step is over by then, and the kernel takes ten milliseconds to end a watch.
  private static let briefly = 0.1
  /// How long to wait in between, in milliseconds, at first and at most.
  private static let briefNaps: (first: Int32, last: Int32) = (1, 8)

  let patience: LockPatience
  let library: String
  let isCancelled: () -> Bool
  private let begin = SuspendingClock.now
  private var hasNoticed = false

  init(_ patience: LockPatience, library: String, isCancelled: @escaping () -> Bool) {
    self.patience = patience
    self.library = library
    self.isCancelled = isCancelled
  }

  /// Waits until the lock is had.
  ///
  /// `flock` itself waits for ever, or not at all. So this tries again for a moment, and then waits for
  /// somebody to close the file, as everybody does who lets go of the lock.
  ///
  /// - Throws: `LockTimeout`, `CancellationError`, or ``StorageError``.
  func wait(for file: OpenFile) throws {
    if try SystemCalls.tryLock(file) { return }
    var briefNap = Self.briefNaps.first
    while waited < Self.briefly {
      SystemCalls.wait(for: nil, milliseconds: min(briefNap, Int32(try rest(file) * 1000) + 1))
      if try SystemCalls.tryLock(file) { return }
      briefNap = min(briefNap * 2, Self.briefNaps.last)
    }
    let watch = SystemCalls.watchClosing(of: file)
    // Once more first: it may have been let go of before the watch began.
    while try !SystemCalls.tryLock(file) {
      let rest = try rest(file)
      let nap = watch == nil ? Self.nap : Self.longestNap
      SystemCalls.wait(for: watch, milliseconds: min(nap, Int32(rest * 1000) + 1))
    }
  }

  /// How many seconds have been waited.
  private var waited: Double { (SuspendingClock.now - begin) / .seconds(1) }

  /// How many seconds may still be waited.
  private func rest(_ file: OpenFile) throws -> Double {
    let waited = waited
    let left = patience.seconds - waited
    guard left > 0 else {
      throw LockTimeout(library: library, seconds: patience.seconds, holder: .holding(file))
    }
    guard waited >= LockPatience.unnoticed else {
      return min(left, LockPatience.unnoticed - waited)
    }
    if isCancelled() { throw CancellationError() }
    if !hasNoticed {
      hasNoticed = true
      patience.notice(LockWait(library: library, holder: .holding(file)))
    }
    return min(left, 60)
  }
}
