internal import CFFmpeg
internal import Synchronization

/// What the C callbacks of a running call and its caller share: the one sees that it is cancelled,
/// the other that it goes on.
final class RunningCall: Sendable {
  // SAFETY: The state is two heap-allocated atomics; setting and reading them from any thread is
  // their purpose, and they are freed only with the last reference to this object.
  nonisolated(unsafe) let state: OpaquePointer
  private let willDecode: @Sendable (_ pixels: Int) -> Void
  private let changes = Atomic<UInt64>(0)

  /// Makes a call; without memory for it, the process has no future either.
  ///
  /// - Parameter willDecode: Told of the largest picture of a file before one of it is decoded.
  init(willDecode: @escaping @Sendable (_ pixels: Int) -> Void = { _ in }) {
    state = cff_call_new()
    self.willDecode = willDecode
  }

  deinit { cff_call_free(state) }

  func cancel() { cff_call_cancel(state) }

  var isCancelled: Bool { cff_call_is_cancelled(state) }

  /// Counts one more packet or picture.
  func step() { cff_call_step(state) }

  /// How many packets were read or encoded, and pieces of files read for the first time or written.
  var steps: UInt64 { cff_call_steps(state) }

  /// Reads a file's header by `body`, and says so meanwhile.
  func opening<Value>(_ body: () -> Value) -> Value {
    changes.add(1, ordering: .relaxed)
    defer { changes.add(1, ordering: .relaxed) }
    return body()
  }

  /// The number of the header that is being read; `nil` while none is.
  var header: UInt64? {
    let count = changes.load(ordering: .relaxed)
    return count % 2 == 1 ? count : nil
  }

  /// Says how large the pictures are that are going to be decoded.
  func willDecode(pixels: Int) { willDecode(pixels) }
}
