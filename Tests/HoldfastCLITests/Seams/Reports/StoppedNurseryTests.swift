import Foundation
import Glibc
import HoldfastTestSupport
import Testing

/// The pool waited a minute for the answer of a stopped nursery, and an interrupted command waited
/// with it.
@Suite("An import whose nursery is stopped", .temporaryFolder)
struct StoppedNurseryTests {
  let library = LibraryFolder()

  /// Waits for a condition, for at most 40 seconds, less than the earlier minute.
  private func eventually(_ condition: () -> Bool) async throws -> Bool {
    for _ in 0..<400 {
      if condition() { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    return condition()
  }

  private func isRunning(_ process: Int32) -> Bool {
    let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
    return status?.contains("State:\tZ") == false
  }

  /// The processes that any thread of a process started.
  private func children(of process: Int32) -> [Int32] {
    let folder = "/proc/\(process)/task"
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return threads.flatMap { thread in
      let text = try? String(contentsOfFile: "\(folder)/\(thread)/children", encoding: .utf8)
      return (text ?? "").split(separator: " ").compactMap { Int32($0) }
    }
  }

  /// Imports clips, and stops the nursery once a worker encodes.
  private func importing(
    _ arguments: [String], _ body: (RunningCommand, _ nursery: Int32) async throws -> Void
  ) async throws -> CommandResult {
    try await Command.start(try Command.holdfast, library.command(["import"] + arguments)) { run in
      let isEncoding = try await eventually { library.fileInStaging() != nil }
      try #require(isEncoding)
      let nursery = try #require(children(of: run.processIdentifier).first)
      kill(nursery, SIGSTOP)
      try await body(run, nursery)
    }
  }

  @Test("goes on with another nursery once the stall limit is over")
  func goesOn() async throws {
    let clips = [try await makeSlowClip("one.mp4"), Fixtures.path("voice.wav")]
    let result = try await importing(["--stall-timeout", "5"] + clips) { _, nursery in
      let hasEnded = try await eventually { !isRunning(nursery) }
      #expect(hasEnded)
    }
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }

  @Test("ends when it is interrupted, and leaves no process behind", arguments: [SIGTERM, SIGINT])
  func interrupted(signal: Int32) async throws {
    let clip = try await makeSlowClip("slow.mp4")
    let result = try await importing([clip]) { run, nursery in
      run.send(signal)
      let hasEnded = try await eventually { !run.isAlive && !isRunning(nursery) }
      #expect(hasEnded)
    }
    #expect(result.status == 130, "\(result.output)\(result.errorOutput)")
    try await library.expectSound()
  }
}
