import CFFmpeg
import Synchronization

/// The state that a running call's C callbacks share with its caller. The callbacks see that the
/// call is cancelled; the caller sees that the call makes progress.
final class RunningCall: Sendable {
  // SAFETY: The state is two heap-allocated atomics; setting and reading them from any thread is
  // their purpose, and they are freed only with the last reference to this object.
  nonisolated(unsafe) let state: OpaquePointer
  private let willDecode: @Sendable (_ pixels: Int) -> Void
  private let changes = Atomic<UInt64>(0)

  /// Creates a call. Crashes without memory for it. Before pictures are decoded,
  /// `willDecode` is called with the pixels of the largest one.
  init(willDecode: @escaping @Sendable (_ pixels: Int) -> Void = { _ in }) {
    state = cff_call_new()
    self.willDecode = willDecode
  }

  deinit { cff_call_free(state) }

  func cancel() { cff_call_cancel(state) }

  var isCancelled: Bool { cff_call_is_cancelled(state) }

  /// Counts one more packet read or written.
  func step() { cff_call_step(state) }

  /// The number of packets read or written, and of blocks read from a file for the first time or
  /// written to one.
  var steps: UInt64 { cff_call_steps(state) }

  /// Runs `body`, which reads a file's header. Meanwhile ``header`` is not `nil`.
  func opening<Value>(_ body: () -> Value) -> Value {
    changes.add(1, ordering: .relaxed)
    defer { changes.add(1, ordering: .relaxed) }
    return body()
  }

  /// A number for the header that is being read, different for each; `nil` if none is being read.
  var header: UInt64? {
    let count = changes.load(ordering: .relaxed)
    return count % 2 == 1 ? count : nil
  }

  func willDecode(pixels: Int) { willDecode(pixels) }
}
