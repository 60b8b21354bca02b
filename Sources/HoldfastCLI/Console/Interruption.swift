internal import Dispatch
internal import Glibc

/// What signals mean to a command.
enum Interruption {
  /// Makes writing to a closed pipe an error and not the end: the work of an import is worth more
  /// than what it prints.
  static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }

  /// The signals that end a command, other than SIGKILL and those of a fault.
  private static let numbers = [SIGINT, SIGTERM, SIGHUP]

  /// Those that whoever started this process had it ignore, as `nohup` does with SIGHUP: they stay
  /// ignored, and what this process starts has to ignore them too.
  static let ignored = numbers.filter(isIgnored)

  /// Calls `stop` at the first SIGINT, SIGTERM or SIGHUP while `body` runs; the second SIGINT ends
  /// the process at once, as without it. Those that are ``ignored`` stay so.
  static func handled<Value>(
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
