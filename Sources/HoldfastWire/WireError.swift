import Glibc

/// The reason why a frame could not be sent or received.
package enum WireError: Error, Hashable, Sendable, CustomStringConvertible {
  case system(CInt)
  /// The other side sent or accepted nothing in time.
  case timedOut
  /// The job as a whole has taken too long, however much has arrived.
  case overdue
  /// A message is not a frame, is not expected here, or cannot be sent.
  case malformed(String)

  package var description: String {
    switch self {
    case .system(let number): String(cString: strerror(number))
    case .timedOut: "nothing came in time"
    case .overdue: "it took too long"
    case .malformed(let what): "the message is malformed: \(what)"
    }
  }
}
