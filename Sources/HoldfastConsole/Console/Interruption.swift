import Dispatch
import Glibc

package enum Interruption {
  /// Makes a write to a closed pipe fail instead of ending the process. An import is worth more
  /// than its output.
  package static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// The signals that end a command, without SIGKILL and the signals of faults.
  static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// The signals that were ignored when this process started, as `nohup` does with SIGHUP. They
  /// stay ignored, also in the player.
  package static let ignored = numbers.filter(isIgnored)

  /// Calls `stop` at the first SIGINT, SIGTERM or SIGHUP while `body` runs.
  ///
  /// A second signal of the same kind ends the process at once, as it would by default. Signals in
  /// ``ignored`` stay ignored.
  package static func handled<Value>(
    by stop: @escaping @Sendable () -> Void, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let queue = DispatchQueue(label: "holdfast.signals")
    let numbers = numbers.filter { !ignored.contains($0) }
    let sources = numbers.map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        stop()
        signal(number, SIG_DFL)
      }
      source.resume()
      return source
    }
    defer {
      for source in sources { source.cancel() }
      for number in numbers { signal(number, SIG_DFL) }
    }
    return try await body()
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    guard unsafe sigaction(number, nil, &action) == 0 else { return false }
    // A handler is a function; SIG_IGN is the address 1.
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
      == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
