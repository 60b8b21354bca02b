import Foundation
import Synchronization

/// Makes sure that tests end. If a program runs too long, it reports where the program hangs and
/// kills it, so that its test fails. If no program begins or ends any more, or the end of a killed
/// one is not noticed, it reports where the tests hang, and ends them.
enum Standstill {
  /// Longer than any program that a test runs takes on a slow machine, in seconds.
  private static let longestRun = 900.0
  /// Longer than the tests ever go without a program that begins or ends, in seconds.
  private static let longestSilence = 1200.0
  /// Longer than it takes to notice that a program was killed, in seconds.
  private static let longestEnd = 120.0

  private struct Run {
    var command: [String]
    var began: Date
    var process: Int32?
    var killed: Date?
  }

  private struct State {
    var last = Date()
    var next = 0
    var runs: [Int: Run] = [:]
  }

  private static let state = Mutex(State())
  /// A separate thread: all threads of the tests may be waiting.
  private static let watch: Void = {
    let thread = Thread {
      while true {
        sleep(20)
        look()
      }
    }
    thread.name = "standstill"
    thread.start()
  }()

  /// Notes that a program begins.
  ///
  /// - Returns: Its number here.
  static func begin(_ command: [String]) -> Int {
    _ = watch
    return state.withLock { state in
      state.last = Date()
      state.next += 1
      state.runs[state.next] = Run(command: command, began: Date())
      return state.next
    }
  }

  /// Notes a program's process, which is its group's as well.
  static func note(_ process: Int32, of number: Int) {
    state.withLock { $0.runs[number]?.process = process }
  }

  /// Notes that a program has ended.
  static func end(_ number: Int) {
    state.withLock { state in
      state.last = Date()
      state.runs[number] = nil
    }
  }

  private static func look() {
    let (last, runs) = state.withLock { ($0.last, $0.runs) }
    let isSilent = -last.timeIntervalSinceNow > longestSilence
    for (number, run) in runs where isSilent || -run.began.timeIntervalSinceNow > longestRun {
      if let killed = run.killed {
        if -killed.timeIntervalSinceNow > longestEnd { giveUp("a killed program has not ended") }
        continue
      }
      state.withLock { $0.runs[number]?.killed = Date() }
      let age = Int(-run.began.timeIntervalSinceNow)
      say("has run for \(age) s: \(run.command.joined(separator: " "))")
      guard let process = run.process else { continue }
      for member in members(ofGroup: process) { describe(member) }
      kill(-process, SIGKILL)
    }
    if isSilent, runs.isEmpty { giveUp("no program has begun or ended for \(longestSilence) s") }
  }

  private static func giveUp(_ reason: String) -> Never {
    say("\(reason), so the tests are given up")
    describe(getpid())
    abort()
  }

  private static func members(ofGroup group: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { getpgid($0) == group }
  }

  /// Reports where each thread of a process is in the kernel.
  private static func describe(_ process: Int32) {
    let tasks = "/proc/\(process)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      let words = ["comm", "wchan", "syscall"].map { name in
        let text = try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)
        return (text ?? "?").trimmingCharacters(in: .whitespacesAndNewlines)
      }
      say("\(process)/\(task) \(words.joined(separator: " "))")
    }
  }

  /// Unbuffered: no thread may be left to empty a buffer.
  private static func say(_ line: String) {
    let bytes = Array("standstill: \(line)\n".utf8)
    _ = bytes.withUnsafeBytes { write(2, $0.baseAddress, $0.count) }
  }
}
