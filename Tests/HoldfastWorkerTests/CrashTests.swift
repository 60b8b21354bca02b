import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool
import Synchronization
import Testing

@Suite("A worker that fails", .temporaryFolder)
struct CrashTests {
  @Test(
    "A worker that crashes fails its file in one sentence, and is replaced",
    arguments: [
      ("crash", "the decoder crashed on this file (signal 11)"),
      ("abort", "the decoder crashed on this file (signal 11)"),
      ("exit", "the decoder ended while it worked on this file (status 7)"),
    ])
  func ends(_ name: String, _ sentence: String) async throws {
    let pool = WorkerPool(try Workers.hostile)
    for _ in 0..<5 {
      let error = try #require(try await mediaError { try await pool.doing(name) })
      #expect(error == HoldfastError(.worker, sentence))
      #expect(try await pool.doing("nothing") == "nothing")
    }
  }

  @Test("loses no other job's result")
  func others() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let answers = try await withThrowingTaskGroup(of: (Int, String).self) { group in
      for number in 0..<24 {
        group.addTask {
          do {
            return (number, try await pool.doing(number % 3 == 0 ? "crash" : "try nonsense"))
          } catch let error as HoldfastError {
            return (number, error.code.rawValue)
          }
        }
      }
      return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
    }
    for number in 0..<24 { #expect(answers[number] == (number % 3 == 0 ? "worker" : "-1")) }
  }

  @Test(
    "is given up when it sends nothing, or invalid messages",
    arguments: Extent.sample(["stall", "babble", "giant", "silent close"], every: 3))
  func silent(_ name: String) async throws {
    let pool = WorkerPool(try Workers.hostile, stallTimeout: 2)
    let error = try #require(try await mediaError { try await pool.doing(name) })
    switch name {
    case "stall":
      #expect(error.code == .stalled)
      #expect(error.reason.contains("no progress on this file for 2 s"))
    case "silent close":
      #expect(error.reason == "the decoder ended while it worked on this file (status 2)")
    default: #expect(error.reason.hasPrefix("the decoder gave no sensible answer: "))
    }
    #expect(try await pool.doing("nothing") == "nothing")
  }

  @Test("is waited for as long as it reports progress")
  func slow() async throws {
    // Four seconds of work without an answer.
    #expect(try await WorkerPool(try Workers.hostile, stallTimeout: 3).doing("slow") == "nothing")
  }

  @Test("A worker does not fail when two of its threads send at once")
  func talk() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let error = try await mediaError {
      try await withSource("talk") { source in
        try await withFile(temporary("output"), flags: O_RDWR | O_CREAT) { output in
          let plan = try ConversionPlan.sample()
          _ = try await pool.convert(plan, source: source, output: output) { _ in }
        }
      }
    }
    #expect(error?.code == .outputRefused, "\(String(describing: error))")
  }

  @Test("is given up when it works for longer than a job may take")
  func overdue() async throws {
    let pool = WorkerPool(try Workers.hostile, jobTimeout: 2)
    let error = try #require(try await mediaError { try await pool.doing("busy") })
    #expect(error.code == .overdue)
    #expect(error.reason.contains("not done with this file after 2 s"))
  }

  @Test("is given up early when it would take much longer than it may")
  func tooSlow() async throws {
    // At a hundredth a second, the job would take about 100 s. On a busy machine, the forecast is
    // lower or higher, but it is always more than twice the time allowed.
    let pool = WorkerPool(try Workers.hostile, jobTimeout: 30)
    let error = try await mediaError {
      try await withSource("slow") { source in
        try await withFile(temporary("output"), flags: O_RDWR | O_CREAT) { output in
          _ = try await pool.convert(.sample(), source: source, output: output) { _ in }
        }
      }
    }
    #expect(error?.code == .overdue)
    let words = /would take about ([0-9]+) s for this file, where 30 s are allowed/
    let match = try #require(try words.firstMatch(in: error?.reason ?? ""))
    #expect((61...200).contains(Int(match.1) ?? 0), "\(String(describing: error))")
  }

  @Test("leaves no process behind: each that has ended is waited for")
  func zombies() async throws {
    let pool = WorkerPool(try Workers.hostile)
    for name in ["crash", "exit", "nothing", "call counted"] { _ = try? await pool.doing(name) }
    let worker = try await descendant(named: "counted")
    let nursery = try #require(try parent(of: worker))
    #expect(try children(of: nursery) == [worker])
    await pool.close()
    #expect(!isRunning(nursery))
  }

  @Test("is replaced, also when the process that it came from was killed, and no job is lost")
  func lostNursery() async throws {
    let pool = WorkerPool(try Workers.hostile)
    _ = try await pool.doing("call orphan")
    let nursery = try #require(try parent(of: try await descendant(named: "orphan")))
    kill(nursery, SIGKILL)
    // The waiting worker is used up: the next one must come from another nursery.
    _ = try? await pool.doing("crash")
    #expect(try await pool.doing("nothing") == "nothing")
  }

  @Test("ends with its pool, also when the process that it came from is stopped")
  func stoppedNursery() async throws {
    let pool = WorkerPool(try Workers.hostile)
    _ = try await pool.doing("call halted")
    let nursery = try #require(try parent(of: try await descendant(named: "halted")))
    kill(nursery, SIGSTOP)
    await pool.close()
    #expect(!isRunning(nursery))
  }

  @Test("that cannot be started is an error that says what to do")
  func unusable() async throws {
    let missing = try await mediaError {
      try await WorkerPool(WorkerProgram(path: "/nowhere/holdfast-worker")).doing("nothing")
    }
    let reason = try #require(missing?.reason)
    #expect(reason.hasPrefix("/nowhere/holdfast-worker could not be started: "))
    let other = try await mediaError {
      try await WorkerPool(WorkerProgram(path: "/bin/true")).doing("nothing")
    }
    #expect(other?.clause == "/bin/true ended at once (status 0); install it again")
  }

  @Test("A worker without a seccomp filter does not begin")
  func noFilter() async throws {
    let wrapper = try tracedWorker(try Workers.real, "inject=seccomp,prctl:error=EINVAL")
    let error = try await mediaError {
      try await WorkerPool(wrapper).doing("nothing")
    }
    #expect(error?.reason == "\(wrapper.path) could not give up new privileges: Invalid argument")
  }
}

@Suite("A cancelled job", .temporaryFolder)
struct CancelledJobTests {
  @Test("ends at once, and its worker with it")
  func cancelled() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let task = Task { try await pool.doing("stall as cancelled") }
    let worker = try await descendant(named: "cancelled")
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await eventually { !isRunning(worker) })
    #expect(try await pool.doing("nothing") == "nothing")
  }

  @Test("is ended also where the process is stopped, and so is one that waits when the pool closes")
  func stopped() async throws {
    let pool = WorkerPool(try Workers.hostile)
    let task = Task { try await pool.doing("stall as stopped") }
    let worker = try await descendant(named: "stopped")
    kill(worker, SIGSTOP)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await eventually { !isRunning(worker) })
    #expect(try await pool.doing("nothing") == "nothing")
    try await pool.doing("call idle")
    let idle = try await descendant(named: "idle")
    kill(idle, SIGSTOP)
    await pool.close()
    #expect(!isRunning(idle))
  }

  @Test("ends no other job, whenever it is cancelled")
  func whenever() async throws {
    let pool = WorkerPool(try Workers.hostile)
    for round in 0..<60 {
      let task = Task { try await pool.doing("try nonsense") }
      for _ in 0..<round * 40 { await Task.yield() }
      task.cancel()
      let result = await task.result
      if case .failure(let error) = result { #expect(error is CancellationError, "\(error)") }
      #expect(try await pool.doing("nothing") == "nothing")
    }
  }
}

@Suite("A worker's end", .temporaryFolder)
struct EndTests {
  @Test("A worker ends when the process that started it is killed", .notInSample)
  func orphan() async throws {
    let path = try await slowClip()
    let worker = Mutex<Int32?>(nil)
    let result = try await Command.start(
      try Command.holdfast, ["import", "--video", "h264", "--library", try makeLibrary(), path]
    ) { process in
      let child = try await busyWorker(of: process.processIdentifier)
      worker.withLock { $0 = child }
      process.send(SIGKILL)
    }
    #expect(result.status == 128 + 9)
    let child = try #require(worker.withLock { $0 })
    #expect(try await eventually { !isRunning(child) })
  }

  @Test("A worker that is killed by hand in mid-job fails one file", .notInSample)
  func killed() async throws {
    let path = try await slowClip()
    let library = try makeLibrary()
    let result = try await Command.start(
      try Command.holdfast,
      ["import", "--video", "h264", "--jobs", "1", "--library", library, path]
        + [Fixtures.path("voice.wav"), Fixtures.path("portrait.mov")]
    ) { process in
      #expect(try await eventually { hasStagedFile(in: library) })
      kill(try await busyWorker(of: process.processIdentifier), SIGKILL)
    }
    #expect(result.status == 3)
    #expect(
      result.errorOutput.contains(
        "slow.mp4: the decoder was killed while it worked on this file (signal 9); import it again")
    )
    #expect(result.output.split(separator: "\n").count { $0.hasPrefix("imported ") } == 2)
    let verified = try await Command.output(
      of: try Command.holdfast, ["verify", "--library", library])
    #expect(verified.status == 0)
  }

  /// A new library in the test's folder.
  private func makeLibrary() throws -> String {
    let path = temporary("library")
    try Library.create(at: LibraryLocation(path: path))
    return path
  }

  /// A clip that takes seconds to encode.
  private func slowClip() async throws -> String {
    let path = temporary("slow.mp4")
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=1280x720:rate=30:duration=20", "-c:v",
        "mpeg4", "-q:v", "5", path,
      ])
    return path
  }

  private func hasStagedFile(in library: String) -> Bool {
    let staging = "\(library)/.staging"
    let files = FileManager.default.enumerator(atPath: staging)?.compactMap { $0 as? String } ?? []
    return files.contains { $0.hasSuffix(".mov") }
  }
}

/// Waits for a condition, for at most half a minute.
func eventually(_ condition: () throws -> Bool) async throws -> Bool {
  for _ in 0..<3000 {
    if try condition() { return true }
    // Only leaves the processor to other processes.
    try await Task.sleep(for: .milliseconds(10))
  }
  return try condition()
}

/// A process with this kernel name that this process's nurseries started.
func descendant(named name: String) async throws -> Int32 {
  var found: Int32?
  _ = try await eventually {
    found = try processes().first { process in
      try statusLine("Name", of: process) == name
        && parent(of: process).flatMap { try parent(of: $0) } == getpid()
    }
    return found != nil
  }
  return try #require(found)
}

/// The busy worker of a `holdfast` command: the others, which wait for the next file or for their
/// first job, use no processor time.
func busyWorker(of command: Int32) async throws -> Int32 {
  var found: Int32?
  _ = try await eventually {
    let workers = try children(of: command).flatMap { try children(of: $0) }
    found = workers.first { processorTime(of: $0) >= 0.3 }
    return found != nil
  }
  return try #require(found)
}

/// A process's processor time, in seconds (proc(5): fields 14 and 15, in hundredths); 0 if it has
/// ended.
private func processorTime(of process: Int32) -> Double {
  let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
  // The program's name, which may hold anything, is the second field, in parentheses.
  let fields = status?.split(separator: ")").last?.split(separator: " ") ?? []
  guard fields.count > 12 else { return 0 }
  return fields[11...12].compactMap { Double($0) }.reduce(0, +) / 100
}

/// The processes that a process started, and that were not waited for.
func children(of process: Int32) throws -> [Int32] {
  try processes().filter { try parent(of: $0) == process }
}

/// The process that started a process; `nil` when that is gone.
func parent(of process: Int32) throws -> Int32? {
  try statusLine("PPid", of: process).flatMap { Int32($0) }
}

private func processes() throws -> [Int32] {
  try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }
}

private func statusLine(_ key: String, of process: Int32) throws -> String? {
  let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
  let line = status?.split(separator: "\n").first { $0.hasPrefix("\(key):\t") }
  return line.map { String($0.dropFirst(key.count + 2)) }
}

/// Whether a process has not ended.
func isRunning(_ process: Int32) -> Bool {
  guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else {
    return false
  }
  return !status.contains("State:\tZ")
}
