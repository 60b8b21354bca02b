internal import CFFmpeg

/// What the C callbacks of a running call and its caller share: the one sees that it is cancelled,
/// the other that it goes on.
final class RunningCall: Sendable {
  // SAFETY: The state is two heap-allocated atomics; setting and reading them from any thread is
  // their purpose, and they are freed only with the last reference to this object.
  nonisolated(unsafe) let state: OpaquePointer
  private let willDecode: @Sendable (_ pixels: Int) -> Void

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

  /// Says how large the pictures are that are going to be decoded.
  func willDecode(pixels: Int) { willDecode(pixels) }
}
