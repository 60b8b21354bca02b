import Glibc

struct LockdownError: Error, CustomStringConvertible {
  var description: String

  init(_ operation: String, errno number: CInt) {
    description = "could not \(operation): \(String(cString: strerror(number)))"
  }

  init(_ description: String) { self.description = description }
}
