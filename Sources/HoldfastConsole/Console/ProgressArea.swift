import Glibc
import Synchronization

/// Lines below everything that was printed on a terminal. They are redrawn in place.
package final class ProgressArea: Sendable {
  package typealias Content = @Sendable (TerminalSize) -> [String]

  private struct State {
    var content: Content = { _ in [] }
    /// The widths of the lines that are on the terminal. The cursor is at the end of the last.
    var drawn: [Int] = []
    var lastDrawing: ContinuousClock.Instant?
    var isScheduled = false
    var isClosed = false
  }

  /// The time between two drawings. Twenty a second look smooth; more would only cost time.
  private static let pause = Duration.milliseconds(50)

  private let console: Console
  private let state = Mutex(State())

  /// The area that is on the terminal now, for code that prints without knowing of it.
  package static var current: ProgressArea? { drawn.withLock { $0.area } }

  /// A weak reference, so that it does not keep the area alive.
  private struct Reference: Sendable { weak var area: ProgressArea? }
  private static let drawn = Mutex(Reference())

  package init(_ console: Console) {
    self.console = console
    Self.drawn.withLock { $0.area = self }
  }

  /// Shows other lines, now or within 50 ms.
  package func show(_ content: @escaping Content) {
    state.withLock { state in
      state.content = content
      guard !state.isClosed, !state.isScheduled else { return }
      if let last = state.lastDrawing, last.duration(to: .now) < Self.pause {
        state.isScheduled = true
        Task {
          try? await Task.sleep(until: last + Self.pause, clock: .continuous)
          drawWhatWasScheduled()
        }
      } else {
        draw(&state)
      }
    }
  }

  package func show(_ content: @escaping Content, after print: () -> Void) {
    state.withLock { state in
      state.content = content
      erase(&state)
      print()
      draw(&state)
    }
  }

  package func print(_ print: () -> Void) {
    state.withLock { state in
      erase(&state)
      print()
      draw(&state)
    }
  }

  /// Removes the lines for good.
  package func close() {
    state.withLock { state in
      state.isClosed = true
      erase(&state)
    }
  }

  private func drawWhatWasScheduled() {
    state.withLock { state in
      state.isScheduled = false
      draw(&state)
    }
  }

  private func erase(_ state: inout State) {
    if !state.drawn.isEmpty { console.draw(erasure(&state)) }
  }

  private func draw(_ state: inout State) {
    guard !state.isClosed else { return }
    let size = TerminalSize(of: STDERR_FILENO)
    // The last column stays free, because terminals differ in what they do with the cursor there.
    // The last row stays free for the line that is printed next.
    let lines = state.content(size).suffix(max(1, size.rows - 1))
      .map { $0.cut(toDisplayWidth: size.columns - 1) }
    let erasure = erasure(&state)
    console.draw(erasure + lines.joined(separator: "\n"))
    state.drawn = lines.map(\.displayWidth)
    state.lastDrawing = .now
  }

  /// Returns the control sequences that remove the lines and put the cursor where they began. On a
  /// terminal that has become narrower, the lines take more rows than before.
  private func erasure(_ state: inout State) -> String {
    let columns = TerminalSize(of: STDERR_FILENO).columns
    let rows = state.drawn.reduce(0) { $0 + max(1, ($1 + columns - 1) / columns) }
    state.drawn = []
    return "\r" + (rows > 1 ? "\u{1B}[\(rows - 1)A" : "") + "\u{1B}[J"
  }
}
