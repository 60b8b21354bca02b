import Foundation
import Glibc
import HoldfastSupport
import HoldfastTestSupport
import Testing

/// The find program's output.
enum Find {
  /// The names below a folder that pass `tests`, in order, relative to it.
  static func names(_ folder: String, _ tests: [String]) async throws -> [String] {
    let tests = tests.isEmpty ? [] : ["("] + tests + [")"]
    return try await lines(folder, tests, "%P")
  }

  /// Everything in a folder that writing would change: kinds, modes, sizes, times, links and
  /// inodes.
  static func snapshot(_ folder: String) async throws -> [String] {
    try await lines(folder, [], "%y %m %s %T@ %C@ %i %l %P", depth: "0")
  }

  private static func lines(
    _ folder: String, _ tests: [String], _ format: String, depth: String = "1"
  ) async throws -> [String] {
    let result = try await Command.output(
      of: "find", [folder, "-mindepth", depth] + tests + ["-printf", format + "\\0"])
    return result.outputBytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
      .sorted()
  }
}

/// The hashes of files by the sha256sum program, by path.
func sha256(of files: [String]) async throws -> [String: String] {
  guard !files.isEmpty else { return [:] }
  let result = try await Command.output(of: "sha256sum", ["--zero", "--"] + files)
  return Dictionary(
    uniqueKeysWithValues: result.outputBytes.split(separator: 0).map { line in
      let text = String(decoding: line, as: UTF8.self)
      return (String(text.dropFirst(66)), String(text.prefix(64)))
    })
}

/// The hash of a file by the sha256sum program.
func sha256(of file: String) async throws -> String {
  try #require(try await sha256(of: [file])[file])
}

/// Makes a folder in the running test's folder, with copies of fixtures under their own names.
@discardableResult
func makeFolder(_ name: String, holding fixtures: [String] = []) throws -> String {
  let folder = temporary(name)
  try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
  for fixture in fixtures { try copyFixture(fixture, to: "\(name)/\(fixture)") }
  return folder
}

/// Puts a copy of `holdfast` alone into the folder `bin` of a new folder.
func loneProgram(_ folder: String) throws -> String {
  let program = try makeFolder("\(folder)/bin") + "/holdfast"
  try FileManager.default.copyItem(atPath: Command.holdfast, toPath: program)
  return program
}

/// Copies a fixture into the running test's folder.
@discardableResult
func copyFixture(_ fixture: String, to name: String) throws -> String {
  let path = temporary(name)
  try FileManager.default.copyItem(atPath: Fixtures.path(fixture), toPath: path)
  return path
}

/// Makes a clip in the running test's folder that takes a second or more to encode.
func makeSlowClip(_ name: String) async throws -> String {
  let path = temporary(name)
  _ = try await Command.output(
    of: "ffmpeg",
    [
      "-v", "error", "-f", "lavfi", "-i", "testsrc2=size=640x360:rate=30:duration=10",
      "-c:v", "mpeg4", "-q:v", "5", path,
    ])
  return path
}

/// A program neither met a test's condition nor ended.
struct WaitedInVain: Error, CustomStringConvertible {
  var process: Int32
  var description: String { "process \(process) did not do within 300 s what the test waits for" }
}

/// Waits for a condition, or until the program that should meet it has ended.
func wait(
  for process: RunningCommand, until condition: () async throws -> Bool
) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while process.isAlive {
    if try await condition() { return true }
    // A stopped process never ends by itself, so the condition may never be met.
    guard ContinuousClock.now < end else { throw WaitedInVain(process: process.processIdentifier) }
    // Only leaves the processor to the program.
    try await Task.sleep(for: .milliseconds(2))
  }
  return try await condition()
}

extension LibraryFolder {
  /// Runs `holdfast`, which stops at a call on a path; it goes on when `body` has ended.
  ///
  /// - Parameters:
  ///   - call: The call.
  ///   - path: The path as the call names it, or where its descriptor leads.
  ///   - preload: A library that is loaded into the command before all others.
  func holdfast(
    _ arguments: [String], stoppedAt call: String, of path: String,
    preload: String? = nil, _ body: @Sendable @escaping () async throws -> Void
  ) async throws -> CommandResult {
    let log = temporary("strace-\(UUID().uuidString)")
    return try await Command.start(
      "strace",
      ["-f", "-qq", "-o", log, "-P", path, "-e", "trace=\(call)"]
        + (preload.map { ["-E", "LD_PRELOAD=\($0)"] } ?? [])
        + ["-e", "inject=\(call):signal=SIGSTOP", try Command.holdfast] + command(arguments)
    ) { process in
      let hasStopped = try await wait(for: process) {
        (try? String(contentsOfFile: log, encoding: .utf8))?.contains("stopped by SIGSTOP") == true
      }
      try #require(hasStopped)
      try await body()
      _ = try await wait(for: process) {
        process.send(SIGCONT, toGroup: true)
        return false
      }
    }
  }

  /// Runs `holdfast import`, and sends it a signal as soon as there is media in staging.
  ///
  /// It starts only once a separate thread watches staging: the tests' shared threads may be busy
  /// for longer than a clip takes to encode.
  ///
  /// - Parameters:
  ///   - signal: The signal; `SIGSTOP` holds the import where it is until `body` has ended.
  ///   - toGroup: Whether the workers get it too.
  ///   - arguments: The arguments after `import`.
  ///   - suffix: How the name of that file ends.
  ///   - program: A program and its arguments, which starts `holdfast`.
  ///   - body: Runs then. It may send `SIGCONT` itself.
  func holdfast(
    sending signal: Int32, toGroup: Bool = false, whileImporting arguments: [String],
    stagingA suffix: String = "", from program: [String] = [], environment: [String: String] = [:],
    _ body: @Sendable @escaping (RunningCommand) async throws -> Void = { _ in }
  ) async throws -> CommandResult {
    let line = program + [try Command.holdfast] + command(["import"] + arguments)
    return try await Command.start(
      "sh", ["-c", "kill -STOP $$; exec \"$@\"", "sh"] + line, environment: environment
    ) { process in
      let isEncoding = try await onOwnThread { _ in
        while process.isAlive, !process.isStopped { usleep(1000) }
        process.send(SIGCONT)
        while process.isAlive {
          if fileInStaging()?.hasSuffix(suffix) == true {
            guard process.send(signal, toGroup: toGroup) else { return false }
            // A process that is sent SIGCONT before it has stopped may stop for good.
            while signal == SIGSTOP, process.isAlive, !process.isStopped(group: toGroup) {
              usleep(1000)
            }
            return true
          }
          usleep(1000)
        }
        return false
      }
      try #require(isEncoding && (signal != SIGSTOP || fileInStaging() != nil))
      defer { if signal == SIGSTOP { process.send(SIGCONT, toGroup: toGroup) } }
      try await body(process)
    }
  }

  /// The media file that an import is writing in staging, once there is something in it.
  func fileInStaging() -> String? {
    let staging = "\(path)/.staging"
    let files = FileManager.default
    for folder in (try? files.contentsOfDirectory(atPath: staging)) ?? [] {
      for name in (try? files.contentsOfDirectory(atPath: "\(staging)/\(folder)")) ?? []
      where name.hasPrefix("video_") || name.hasPrefix("audio_") {
        let file = "\(staging)/\(folder)/\(name)"
        let size = (try? files.attributesOfItem(atPath: file))?[.size] as? Int
        if let size, size > 0 { return file }
      }
    }
    return nil
  }
}

extension RunningCommand {
  /// Whether the program has not ended; a zombie has ended.
  var isAlive: Bool {
    status(of: processIdentifier).map { !["Z", "X"].contains($0.state) } ?? false
  }

  /// Whether a signal has stopped the program.
  var isStopped: Bool { status(of: processIdentifier)?.state == "T" }

  /// Whether a signal has stopped the program and, if requested, every process of its group.
  func isStopped(group: Bool) -> Bool {
    guard group else { return isStopped }
    let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return processes.compactMap { Int32($0) }.compactMap(status)
      .filter { $0.group == processIdentifier }
      .allSatisfy { ["T", "Z", "X"].contains($0.state) }
  }

  /// The state and the group of a process by proc(5), or `nil` if it has ended.
  private func status(of process: Int32) -> (state: Substring, group: Int32?)? {
    guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else {
      return nil
    }
    // The state follows the name, which may hold anything but a last parenthesis.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 2 ? (fields[0], Int32(fields[2])) : nil
  }
}
