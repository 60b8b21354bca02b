import Foundation
import Synchronization

/// Places for programs that run at a time: tests run all at once, and a hundred programs on two
/// cores would only wait for each other.
final class Places: Sendable {
  static let shared = Places(2 * ProcessInfo.processInfo.activeProcessorCount)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  /// Waits for a place.
  func take() async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        guard state.free == 0 else {
          state.free -= 1
          continuation.resume()
          return
        }
        state.waiting.append(continuation)
      }
    }
  }

  /// Hands the place to whoever waits longest.
  func giveBack() {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return
      }
      state.waiting.removeFirst().resume()
    }
  }
}
