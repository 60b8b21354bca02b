import Foundation
import Glibc
import HoldfastModel
import HoldfastStorage
import HoldfastSupport
import HoldfastTestSupport
import Testing

@Suite("The writer lock", .temporaryFolder)
struct WriterLockTests {
  @Test("Threads of one process keep each other out, through one tree or two")
  func threads() async throws {
    let trees = [try makeLibrary(), try makeLibrary()]
    let inside = Counter()
    let total = Counter()
    try await withThrowingTaskGroup { group in
      for number in 0..<200 {
        let tree = trees[number % 2]
        group.addTask {
          try tree.withWriterLock { _ in
            #expect(inside.add(1) == 1)
            sched_yield()
            inside.add(-1)
            total.add(1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(total.value == 200)
  }

  @Test("Another process is kept out as long as the lock is held, and no longer")
  func processes() throws {
    let tree = try makeLibrary()
    // util-linux's flock(1): 0 when it got the lock, 1 when another process holds it.
    let attempt = {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/flock")
      process.arguments = ["-n", temporary("library/.lock"), "true"]
      try process.run()
      process.waitUntilExit()
      return process.terminationStatus
    }
    #expect(try tree.withWriterLock { _ in try attempt() } == 1)
    #expect(try attempt() == 0)
    struct Failed: Error {}
    #expect(throws: Failed.self) { try tree.withWriterLock { _ in throw Failed() } }
    #expect(try attempt() == 0)
  }

  @Test("Cancelling a task, or its flag, ends its wait; the holder keeps the lock")
  func cancelled() async throws {
    let tree = try makeLibrary()
    let stop = StopFlag()
    stop.set()
    _ = try tree.withWriterLock { _ in
      #expect(throws: CancellationError.self) {
        _ = try tree.withWriterLock(until: stop) { _ in }
      }
    }
    #expect(try tree.withWriterLock(until: stop) { _ in true })
    let other = try makeLibrary()
    let (isHeld, isDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let holder = Thread {
      try? other.withWriterLock { _ in
        isHeld.signal()
        isDone.wait()
      }
    }
    holder.start()
    isHeld.waitForever()
    let task = Task { try tree.withWriterLock { _ in } }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    isDone.signal()
  }

  @Test("A wait ends with its timeout, and names the process that holds the lock")
  func timeout() throws {
    let tree = try makeLibrary()
    let notices = Counter()
    let patience = LockTimeoutPolicy(seconds: 1.2) { wait in
      if wait.holder?.processID == getpid() { notices.add(1) }
    }
    _ = try tree.withWriterLock { _ in
      #expect {
        _ = try tree.withWriterLock(patience: patience) { _ in }
      } throws: { error in
        let timeout = (error as? HoldfastError)?.timeout
        return timeout?.seconds == 1.2 && timeout?.holder?.processID == getpid()
          && timeout?.library == temporary("library")
      }
    }
    #expect(notices.value == 1)
  }

  @Test("A lock file that is a symbolic link is refused")
  func link() throws {
    let tree = try makeLibrary()
    try FileManager.default.removeItem(atPath: temporary("library/.lock"))
    symlink(temporary("elsewhere"), temporary("library/.lock"))
    #expect { try tree.withWriterLock { _ in } } throws: { HoldfastError.Code.unsafePath ~= $0 }
    #expect(read("elsewhere") == nil)
  }
}

extension DispatchSemaphore {
  /// Waits on the calling thread, which belongs to the test.
  fileprivate func waitForever() { wait() }
}
