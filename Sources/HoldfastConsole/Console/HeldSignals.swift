import CLinux
package import Foundation
import Glibc

/// The exit status of a child, which is negative if a signal ended it, and its answer.
package typealias ChildResult = (status: CInt, answer: Data)

/// The signals that end a command, held back for a process that does all its work in children.
package final class HeldSignals {
  /// The child's descriptor for its answer.
  private static let answerDescriptor: CInt = 3

  /// Can be read once a signal has come.
  package let descriptor: CInt
  /// Whether a signal was passed on to a child.
  package private(set) var hasCome = false

  /// Holds the signals back. No other thread may have been started.
  package init() throws {
    let numbers = Interruption.numbers.filter { !Interruption.ignored.contains($0) }
    descriptor = unsafe holdfast_hold_signals(numbers, CInt(numbers.count))
    guard descriptor >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
  }

  deinit { close(descriptor) }

  /// Runs this program again with other arguments, and waits for its end. A signal that comes
  /// meanwhile is passed on.
  ///
  /// - Parameters:
  ///   - input: The child's standard input.
  ///   - other: A descriptor to watch meanwhile; -1 for none.
  ///   - handle: What to do when it can be read.
  /// - Throws: `POSIXError` if the child could not be started, and the errors of `handle`.
  package func runChild(
    _ arguments: [String], input: Data, watching other: CInt = -1, _ handle: () throws -> Void = {}
  ) throws -> ChildResult {
    let file = FileHandle(
      fileDescriptor: unsafe holdfast_memory_file("holdfast"), closeOnDealloc: true)
    try file.write(contentsOf: input)
    try file.seek(toOffset: 0)
    let pipe = Pipe()
    var child: pid_t = 0
    var words = unsafe (CommandLine.arguments.prefix(1) + arguments).map { unsafe strdup($0) }
    defer { unsafe words.forEach { word in unsafe free(word) } }
    unsafe words.append(nil)
    let code = unsafe holdfast_spawn_self(
      words, file.fileDescriptor, pipe.fileHandleForWriting.fileDescriptor, Self.answerDescriptor,
      &child)
    guard code == 0 else { throw POSIXError(.init(rawValue: code) ?? .EINVAL) }
    try pipe.fileHandleForWriting.close()
    let end = pipe.fileHandleForReading.fileDescriptor
    let answer = Result { try read(end, of: child, beside: other, handle) }
    var status: CInt = 0
    while unsafe waitpid(child, &status, 0) < 0, errno == EINTR {}
    return (holdfast_exit_status(status), try answer.get())
  }

  /// Whether ``runChild(_:input:)`` started this process. Call it before a file is opened, which
  /// may get the same descriptor.
  package static var canAnswer: Bool {
    var status = stat()
    return unsafe fstat(answerDescriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO
  }

  /// Answers the process that started this child with ``runChild(_:input:)``.
  package static func answer(_ data: Data) {
    // That process may have been killed.
    try? FileHandle(fileDescriptor: answerDescriptor).write(contentsOf: data)
  }

  private func read(
    _ end: CInt, of child: pid_t, beside other: CInt, _ handle: () throws -> Void
  ) throws -> Data {
    var answer = Data()
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var polled = [end, descriptor, other].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      guard unsafe poll(&polled, 3, -1) >= 0 else {
        if errno == EINTR { continue }
        return answer
      }
      // Each of them, as a second one ends a child that does not end by itself.
      if polled[1].revents != 0, unsafe Glibc.read(descriptor, &buffer, buffer.count) > 0 {
        hasCome = true
        kill(child, SIGTERM)
      }
      if polled[2].revents != 0 { try handle() }
      guard polled[0].revents != 0 else { continue }
      let count = unsafe Glibc.read(end, &buffer, buffer.count)
      guard count > 0 else { return answer }
      answer.append(contentsOf: buffer[..<count])
    }
  }
}
