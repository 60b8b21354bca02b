import Foundation
import HoldfastTestSupport
import Testing

@Suite("What workers ask of the system", .temporaryFolder)
struct WorkerCallTests {
  private static let doors = [
    "open", "openat", "openat2", "creat", "open_by_handle_at", "socket", "socketpair", "connect",
    "bind", "accept", "accept4", "execve", "execveat", "fork", "vfork", "ptrace", "unlink",
    "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat",
  ]

  @Test(
    "From its first job on no worker opens, connects or starts anything, whatever the files",
    .timeLimit(.minutes(40)))
  func nothing() async throws {
    let library = LibraryFolder()
    let folders = [Repository.root + "/fixtures"] + [Corpus.folder].compactMap(\.self)
    let log = temporary("calls")
    let result = try await Command.run(
      "strace",
      [
        "-f", "--seccomp-bpf", "-q", "-e", "signal=none", "-o", log, "-e",
        "trace=recvmsg,clone,clone3," + Self.doors.joined(separator: ","), try Command.holdfast,
      ] + library.command(["import", "--quiet"] + folders))
    #expect(result.status == 3)
    let seen = try Self.violations(in: log)
    #expect(seen.workers >= 2 && seen.jobs > 2 * Fixtures.manifest.count, "\(seen)")
    #expect(seen.calls == [])
  }

  @Test("No more workers are started than there are jobs", arguments: [1, 2])
  func workers(jobs: Int) async throws {
    let library = LibraryFolder()
    let names = ["aac.m4a", "hevc8.mp4", "odd.webm", "portrait.mov", "text.mp4", "voice.wav"]
    let sources = try makeFolder("in", holding: names)
    for command in [["import", sources], ["thumbnails", "--all"]] {
      let trace = try await Strace.run(
        ["trace=execve"], library.command(command + ["--jobs", "\(jobs)"]))
      let started = trace.calls.filter { $0.contains("holdfast-worker\"") && $0.hasSuffix(" = 0") }
      // Where the first is quick enough, there is no need of a second.
      #expect((1...jobs).contains(started.count), "\(command): \(trace.result.errorOutput)")
    }
  }

  /// What the log of a run shows of its workers.
  private static func violations(
    in log: String
  ) throws -> (workers: Int, jobs: Int, calls: [String]) {
    // Threads, by number, and the worker that each belongs to.
    var worker: [Substring: Substring] = [:]
    var workers = 0
    var isAtWork: Set<Substring> = []
    var jobs = 0
    var calls: [String] = []
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      let thread = line[..<space]
      let call = line[space...].drop { $0 == " " }
      if call.hasPrefix("execve("), call.contains("holdfast-worker\"") {
        worker[thread] = thread
        workers += 1
        continue
      }
      if call.hasPrefix("+++ ") {
        // Another thread may get its number.
        worker[thread] = nil
        isAtWork.remove(thread)
        continue
      }
      guard let process = worker[thread] else { continue }
      let isClone = call.hasPrefix("clone") || call.hasPrefix("<... clone")
      if isClone, let made = call.split(separator: " ").last, Int(made) != nil {
        worker[made] = process
      } else if call.contains("SCM_RIGHTS") {
        jobs += 1
        isAtWork.insert(process)
      } else if isAtWork.contains(process), !call.contains("recvmsg"), !isClone,
        !call.contains("<unfinished"), !call.contains("= -1 ")
      {
        calls.append(String(line))
      }
    }
    return (workers, jobs, calls)
  }
}
