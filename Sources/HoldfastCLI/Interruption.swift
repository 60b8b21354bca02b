internal import Dispatch
internal import Glibc

/// What signals mean to a command.
enum Interruption {
  /// Makes writing to a closed pipe an error and not the end: the work of an import is worth more
  /// than what it prints.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// Calls `stop` at the first SIGINT, SIGTERM or SIGHUP while `body` runs; the second SIGINT ends
  /// the process at once, as without it.
  static func handled<Value>(
    by stop: @escaping @Sendable () -> Void, _ body: () async throws -> Value
  ) async rethrows -> Value {
    let queue = DispatchQueue(label: "holdfast.signals")
    let numbers = [SIGINT, SIGTERM, SIGHUP]
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
}
