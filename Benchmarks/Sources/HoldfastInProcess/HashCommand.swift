import ArgumentParser
import Crypto
import Foundation
import Synchronization

/// `bench-in-process hash`
///
/// The least time of `verify --deep`: the same hash of the same bytes, and nothing else.
struct HashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hash", abstract: "Hash files, one a core at a time.")

  @Argument var files: [String]

  func run() {
    let next = Mutex(0)
    DispatchQueue.concurrentPerform(iterations: ProcessInfo.processInfo.activeProcessorCount) { _ in
      var buffer = [UInt8](repeating: 0, count: 1 << 20)
      while true {
        let index = next.withLock { next in
          defer { next += 1 }
          return next
        }
        guard index < files.count else { return }
        print("\(Self.hash(of: files[index], &buffer))  \(files[index])")
      }
    }
  }

  private static func hash(of file: String, _ buffer: inout [UInt8]) -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    precondition(descriptor >= 0, file)
    defer { close(descriptor) }
    var hash = SHA256()
    buffer.withUnsafeMutableBytes { bytes in
      while true {
        let count = read(descriptor, bytes.baseAddress, bytes.count)
        precondition(count >= 0, file)
        if count == 0 { return }
        hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
      }
    }
    return hash.finalize().map { String(format: "%02x", $0) }.joined()
  }
}
