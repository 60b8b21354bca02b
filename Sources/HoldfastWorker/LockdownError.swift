import Glibc

struct LockdownError: Error, CustomStringConvertible {
  var description: String

  init(_ operation: String, errno number: CInt) {
    description = "could not \(operation): \(String(cString: strerror(number)))"
  }

  init(_ description: String) { self.description = description }

  /// Throws the system's error if a C function did not return 0.
  static func check(_ result: CInt, _ operation: String) throws(LockdownError) {
    guard result == 0 else { throw LockdownError(operation, errno: errno) }
  }
}
