import CLinux
import Foundation
import Glibc
import HoldfastModel
package import HoldfastSupport

/// One end of a socket pair that carries frames, and open descriptors beside them, in both
/// directions.
///
/// A frame is its length in bytes (four bytes, least significant first), followed by its content.
/// Descriptors are sent beside the first byte (SCM_RIGHTS). Any thread may send, but only one may
/// receive.
package final class FrameChannel: Sendable {
  /// The most bytes in a frame. The times of all pictures in a day of video take half of it.
  package static let mostBytes = 12 << 20
  /// The most descriptors beside a frame. A job needs two at most: a source and an output.
  package static let mostDescriptors = Int(holdfast_most_descriptors)

  private let socket: OwnDescriptor
  /// Not Swift's `Mutex`, because workers use this lock, and they are forks. `Mutex` remembers the
  /// ID of the thread that locks it. In a fork it remembers the nursery's, and crashes as soon as
  /// another thread waits.
  private let sending = NSLock()

  package init(_ socket: OwnDescriptor) { self.socket = socket }

  /// Makes a channel and the descriptor of its other end, which the caller must close. The
  /// corresponding C function is `socketpair`.
  package static func pair() throws(WireError) -> (channel: FrameChannel, otherEnd: CInt) {
    var sockets: [CInt] = [-1, -1]
    guard holdfast_socket_pair(&sockets) == 0 else { throw .system(errno) }
    return (FrameChannel(OwnDescriptor(owning: sockets[0])), sockets[1])
  }

  /// Ends the conversation. The other side, and any thread that waits here, reads the end. The
  /// corresponding C function is `shutdown`.
  package func close() { _ = holdfast_shut_down(socket.number) }

  /// Sends a whole frame. The caller keeps ownership of the descriptors. `seconds` is how long the
  /// other side may take to make room; `nil` for no limit.
  package func send(
    _ content: [UInt8], descriptors: [CInt] = [], within seconds: Double? = nil
  ) throws(WireError) {
    guard content.count <= Self.mostBytes else {
      throw .malformed("\(content.count) bytes; at most \(Self.mostBytes) go into a message")
    }
    guard descriptors.count <= Self.mostDescriptors else {
      throw .malformed("\(descriptors.count) descriptors; at most \(Self.mostDescriptors) go along")
    }
    sending.lock()
    defer { sending.unlock() }
    let length = UInt32(content.count)
    let frame = (0..<4).map { UInt8(truncatingIfNeeded: length >> ($0 * 8)) } + content
    var patience = seconds.map(CountedTimeout.init)
    var sent = 0
    while sent < frame.count {
      let beside = sent == 0 ? descriptors : []
      let count = frame.withUnsafeBytes {
        holdfast_send(
          socket.number, $0.baseAddress?.advanced(by: sent), $0.count - sent, beside,
          CInt(beside.count))
      }
      if count >= 0 {
        sent += count
      } else if errno == EAGAIN {
        var endless: Deadline?
        try wait(for: POLLOUT, &patience, &endless)
      } else if errno != EINTR {
        throw .system(errno)
      }
    }
  }

  /// Waits until there is something to read, or until the other side has closed its end. Returns
  /// `false` if `seconds` passed first.
  package func waitsToBeRead(within seconds: Double) throws(WireError) -> Bool {
    do throws(WireError) {
      var patience: CountedTimeout? = CountedTimeout(seconds)
      var endless: Deadline?
      try wait(for: POLLIN, &patience, &endless)
      return true
    } catch .timedOut {
      return false
    }
  }

  /// Waits for the next frame as ``receive(within:before:atMost:)`` does, without a deadline.
  package func receive(within seconds: Double? = nil) throws(WireError) -> Frame? {
    var endless: Deadline?
    return try receive(within: seconds, before: &endless)
  }

  /// Waits for the next frame; `nil` if the other side has closed its end. The whole frame must
  /// arrive within `seconds`; `deadline` ends the wait, however much has arrived. For both, `nil`
  /// means no limit. After an error, it is not known where the next frame begins.
  package func receive(
    within seconds: Double?, before deadline: inout Deadline?, atMost mostBytes: Int = mostBytes
  ) throws(WireError) -> Frame? {
    var patience = seconds.map(CountedTimeout.init)
    var descriptors: [OwnDescriptor] = []
    guard let header = try read(4, within: &patience, before: &deadline, beside: &descriptors)
    else { return nil }
    let length = header.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard length <= mostBytes else {
      throw .malformed("\(length) bytes; at most \(mostBytes) go into this message")
    }
    var none: [OwnDescriptor] = []
    guard let content = try read(length, within: &patience, before: &deadline, beside: &none) else {
      throw .malformed("it ends after 4 bytes of \(length + 4)")
    }
    guard none.isEmpty else { throw .malformed("a descriptor in the middle of it") }
    return Frame(content: content, descriptors: descriptors)
  }

  /// Reads `count` bytes; returns `nil` if the other side closed its end before the first of them.
  private func read(
    _ count: Int, within patience: inout CountedTimeout?, before deadline: inout Deadline?,
    beside descriptors: inout [OwnDescriptor]
  ) throws(WireError) -> [UInt8]? {
    // Take memory only for bytes that have arrived, not for the length that the other side claims.
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: min(count, 1 << 18))
    while bytes.count < count {
      try wait(for: POLLIN, &patience, &deadline)
      var numbers = [CInt](repeating: -1, count: Self.mostDescriptors)
      var received: CInt = 0
      let size = holdfast_receive(
        socket.number, &piece, min(piece.count, count - bytes.count), &numbers, &received)
      if size < 0, errno == EINTR { continue }
      if size < 0, errno != ECONNRESET { throw .system(errno) }
      descriptors += numbers.prefix(Int(received)).map(OwnDescriptor.init(owning:))
      guard descriptors.count <= Self.mostDescriptors else {
        throw .malformed("too many descriptors")
      }
      guard size > 0 else {
        guard bytes.isEmpty else {
          throw .malformed("it ends after \(bytes.count) bytes of \(count)")
        }
        return nil
      }
      bytes += piece.prefix(size)
    }
    return bytes
  }

  /// The corresponding C function is `poll`.
  private func wait(
    for events: CInt, _ patience: inout CountedTimeout?, _ deadline: inout Deadline?
  ) throws(WireError) {
    while true {
      deadline?.tick()
      if deadline?.isOver == true { throw .overdue }
      let longest = deadline == nil ? -1 : Deadline.longestStep
      let milliseconds = patience?.nextWait ?? longest
      let start = ContinuousClock.now
      var entry = pollfd(fd: socket.number, events: Int16(events), revents: 0)
      let ready = poll(&entry, 1, milliseconds)
      guard ready >= 0 || errno == EINTR else { throw .system(errno) }
      patience?.wait(ContinuousClock.now - start, of: milliseconds)
      if ready > 0 { return }
      if patience?.isOver == true { throw .timedOut }
    }
  }
}

package struct Frame: Sendable {
  package var content: [UInt8]
  package var descriptors: [OwnDescriptor]
}
