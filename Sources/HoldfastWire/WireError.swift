internal import Glibc

/// Why a frame could not be sent or received.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The system refused, with this error number.
  case system(CInt)
  /// Nothing came, or nothing was taken, in time.
  case timedOut
  /// What came is no frame, or not one that was to be expected here: what is wrong with it.
  case malformed(String)

  /// What a person reads.
  package var description: String {
    switch self {
    case .system(let number): String(cString: strerror(number))
    case .timedOut: "nothing came in time"
    case .malformed(let what): "what came is no message: \(what)"
    }
  }
}
