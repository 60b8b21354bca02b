internal import Glibc

/// Why a frame could not be sent or received.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused, with this error number.
  case system(CInt)
  /// Nothing came, or nothing was taken, in time.
  case timedOut
  /// What is waited for has taken longer than it may as a whole, however much came.
  case overdue
  /// What came is no frame, or not one that was to be expected here: what is wrong with it.
  case malformed(String)

  /// What a person reads.
  package var description: String {
    switch self {
    case .system(let number): String(cString: strerror(number))
    case .timedOut: "nothing came in time"
    case .overdue: "it took too long"
    case .malformed(let what): "what came is no message: \(what)"
    }
  }
}
