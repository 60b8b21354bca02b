import CEscape
import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool
import Testing

@Suite("A compromised worker", .temporaryFolder)
struct EscapeTests {
  private static let attempts: [String] = {
    var names: [String] = []
    var next = escape_attempts_first()
    while let name = next?.pointee {
      names.append(String(cString: name))
      next = next?.successor()
    }
    return names
  }()

  @Test("is refused every attempt by the kernel", arguments: Extent.sample(attempts, every: 3))
  func attempt(_ name: String) async throws {
    let pool = WorkerPool(try Workers.hostile)
    let answer = try await pool.doing("try \(name)")
    // No path is checked: the call names an invalid descriptor.
    let refusals = name.hasPrefix("stat") ? [EBADF, ENOSYS] : [EPERM, EACCES, ENOSYS]
    let number = try #require(CInt(answer))
    #expect(refusals.contains(number), "\(name): \(answer)")
    // This machine does not refuse by itself: outside the sandbox, the unprivileged attempts
    // succeed.
    if ["open", "socket of this machine", "connect to loopback", "fork"].contains(name) {
      #expect(escape_try(name) == 0)
    }
  }

  @Test("opens no file and no connection under Landlock alone")
  func landlockAlone() async throws {
    // The filter is not loaded, and the worker believes that it is.
    let pool = WorkerPool(try tracedWorker(try Workers.hostile, "inject=seccomp:retval=0"))
    for name in ["open", "open for writing", "open a folder", "openat2", "connect to loopback"] {
      let answer = try await pool.doing("try \(name)")
      #expect(CInt(answer) == EACCES, "\(name): \(answer)")
    }
    #expect(try await pool.doing("try signal its parent") == "\(EPERM)")
    // An attempt that only the filter refuses, to show that no filter is loaded.
    #expect(try await pool.doing("try socket for datagrams") == "0")
  }

  @Test("is refused the same under the filter alone, where the kernel has no Landlock")
  func filterAlone() async throws {
    let pool = WorkerPool(
      try tracedWorker(try Workers.hostile, "inject=landlock_create_ruleset:error=ENOSYS"))
    for name in Self.attempts {
      let answer = try await pool.doing("try \(name)")
      #expect([EPERM, ENOSYS, EBADF].contains(CInt(answer)), "\(name): \(answer)")
    }
  }

  @Test("may make threads, which FFmpeg needs")
  func threads() async throws {
    #expect(try await WorkerPool(try Workers.hostile).doing("threads") == "yes")
  }

  @Test("can send only plain text to a terminal")
  func words() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let error = try #require(try await mediaError { try await pool.doing("ruder") })
    #expect(error.reason == "\\u{1B}[31mred\\u{A}second line")
    #expect(error.detail == "\\u{202E}x")
  }
}
