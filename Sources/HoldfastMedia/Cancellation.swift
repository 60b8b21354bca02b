internal import CFFmpeg

/// A flag that a cancelled task sets and the C callbacks of a running call read.
final class Cancellation: Sendable {
  // SAFETY: The flag is a heap-allocated atomic; setting and reading it from any thread is its
  // purpose, and it is freed only with the last reference to this object.
  nonisolated(unsafe) let flag: OpaquePointer

  /// Makes a flag that is not set; without memory for it, the process has no future either.
  init() {
    flag = cff_flag_new()
  }

  deinit { cff_flag_free(flag) }

  func cancel() { cff_flag_set(flag) }

  var isCancelled: Bool { cff_flag_is_set(flag) }
}
