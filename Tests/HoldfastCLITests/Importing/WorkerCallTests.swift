import Foundation
import HoldfastTestSupport
import Testing

@Suite("System calls of workers", .temporaryFolder)
struct WorkerCallTests {
  private static let doors = [
    "open", "openat", "openat2", "creat", "open_by_handle_at", "socket", "socketpair", "connect",
    "bind", "accept", "accept4", "execve", "execveat", "fork", "vfork", "ptrace", "unlink",
    "unlinkat", "rename", "renameat", "renameat2", "mkdir", "mkdirat",
  ]

  @Test(
    "From its first job on no worker opens, connects or starts anything, whatever the files",
    .notInSample,
    .timeLimit(.minutes(40)))
  func nothing() async throws {
    let library = LibraryFolder()
    let corpus = Extent.isWhole ? Corpus.folder : nil
    let folders = [Repository.root + "/fixtures"] + [corpus].compactMap(\.self)
    let log = temporary("calls")
    let result = try await Command.run(
      "strace",
      [
        "-f", "--seccomp-bpf", "-q", "-e", "signal=none", "-o", log, "-e",
        "trace=recvmsg,seccomp,clone,clone3," + Self.doors.joined(separator: ","),
        try Command.holdfast,
      ] + library.command(["import", "--quiet"] + folders))
    #expect(result.status == 3)
    let seen = try Self.violations(in: log)
    #expect(seen.workers >= 2 && seen.jobs > 2 * Fixtures.manifest.count, "\(seen)")
    #expect(seen.calls == [])
  }

  @Test("A thread that cannot be started fails only its file, and nothing hangs")
  func threads() async throws {
    var words: [String] = []
    for number in [3, 4, 8, 12] {
      let library = LibraryFolder(at: "library \(number)")
      try await library.holdfast("init")
      let trace = try await Strace.run(
        ["trace=clone3", "inject=clone3:error=EAGAIN:when=\(number)"],
        library.command(["import", Fixtures.path("portrait.mov"), Fixtures.path("aac.m4a")]),
        seconds: 120)
      #expect(!trace.result.wasKilled, "\(number)")
      words.append(trace.result.errorOutput)
    }
    #expect(words.contains { $0.contains("no room for another thread") }, "\(words)")
  }

  @Test("The media libraries are loaded once, however many jobs there are", arguments: [1, 2])
  func nursery(jobs: Int) async throws {
    let library = LibraryFolder()
    let names = ["aac.m4a", "hevc8.mp4", "odd.webm", "portrait.mov", "text.mp4", "voice.wav"]
    let sources = try makeFolder("in", holding: names)
    for command in [["import", sources], ["thumbnails", "--all"]] {
      let trace = try await Strace.run(
        ["trace=execve"], library.command(command + ["--jobs", "\(jobs)"]))
      let started = trace.calls.filter { $0.contains("holdfast-worker\"") && $0.hasSuffix(" = 0") }
      #expect(started.count == 1, "\(command): \(trace.result.errorOutput)")
    }
  }

  /// The workers in a run's log.
  private static func violations(
    in log: String
  ) throws -> (workers: Int, jobs: Int, calls: [String]) {
    var nurseries: Set<Substring> = []
    // Each thread's worker, by the thread's number.
    var worker: [Substring: Substring] = [:]
    var workers = 0
    var isShutIn: Set<Substring> = []
    var hasJob: Set<Substring> = []
    var jobs = 0
    var calls: [String] = []
    for line in try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n") {
      guard let space = line.firstIndex(of: " ") else { continue }
      let thread = line[..<space]
      let call = line[space...].drop { $0 == " " }
      if call.hasPrefix("execve("), call.contains("holdfast-worker\"") {
        nurseries.insert(thread)
        continue
      }
      if call.hasPrefix("+++ ") {
        if hasJob.contains(thread), !isShutIn.contains(thread) {
          calls.append("\(thread) was not shut in")
        }
        // Another thread may get its number.
        worker[thread] = nil
        hasJob.remove(thread)
        isShutIn.remove(thread)
        nurseries.remove(thread)
        continue
      }
      let isClone = call.hasPrefix("clone") || call.hasPrefix("<... clone")
      let made =
        isClone ? call.split(separator: " ").last.flatMap { Int($0) == nil ? nil : $0 } : nil
      if nurseries.contains(thread) {
        if let made {
          worker[made] = made
          workers += 1
        }
        continue
      }
      if call.hasPrefix("seccomp(SECCOMP_SET_MODE_FILTER") {
        // The log may have this before the nursery's call that made the worker.
        isShutIn.insert(thread)
        continue
      }
      guard let process = worker[thread] else {
        // The log may have a worker's end before the call that made it: then its number was kept.
        if let made {
          worker[made] = nil
          hasJob.remove(made)
          isShutIn.remove(made)
        }
        continue
      }
      if let made {
        worker[made] = process
      } else if call.contains("SCM_RIGHTS") {
        jobs += 1
        hasJob.insert(process)
      } else if isShutIn.contains(process), !call.contains("recvmsg"),
        !call.hasPrefix("<... seccomp"), !isClone,
        !call.contains("<unfinished"), !call.contains("= -1 "),
        // A process that was killed before strace learnt which call it had begun.
        !call.contains("<... ??? resumed>")
      {
        calls.append(String(line))
      }
    }
    return (workers, jobs, calls)
  }
}
