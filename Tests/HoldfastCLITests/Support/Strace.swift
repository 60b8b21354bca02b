import Foundation
import HoldfastTestSupport
import Testing

/// A command's trace by strace.
struct Strace {
  var result: CommandResult
  /// The calls in the order in which they ended.
  var tracedCalls: [TracedCall]
  /// The calls in order, without the thread's number, and descriptors with their paths.
  var calls: [String] { tracedCalls.map(\.text) }

  /// Runs `holdfast` under strace.
  ///
  /// - Parameters:
  ///   - expression: The traced calls, such as `trace=fsync`, or `inject=…`.
  ///   - path: The path that a call must name to be traced or to fail; any call if `nil`.
  ///   - program: The program; `holdfast` if `nil`.
  ///   - seconds: The time after which it is killed; `nil` for never.
  ///   - names: Its known names, if other runs must make the same calls in the same threads.
  static func run(
    _ expressions: [String], path: String? = nil, _ arguments: [String], program: String? = nil,
    seconds: Int? = nil, names: KnownNames? = nil
  ) async throws -> Strace {
    let log = temporary("strace-\(UUID().uuidString)")
    let options = expressions.flatMap { ["-e", $0] } + (path.map { ["-P", $0] } ?? [])
    let watch = seconds.map { ["timeout", "-s", "KILL", "\($0)"] } ?? []
    // On one core, Swift's tasks have one thread.
    let place = names == nil ? [] : ["taskset", "-c", try currentCore()]
    let command =
      try place + ["strace", "-f", "-qq", "-y", "-e", "signal=none", "-o", log] + options
      + (names?.options ?? []) + watch + [program ?? Command.holdfast] + arguments
    let result = try await Command.run(command[0], Array(command.dropFirst()))
    return Strace(result: result, tracedCalls: try calls(in: log))
  }

  /// The calls in strace's output, in the order in which they ended.
  static func calls(in log: String) throws -> [TracedCall] {
    let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    return joined(text.split(separator: "\n").map(String.init))
  }

  /// The core that this thread runs on: field 39 of `/proc/PID/stat` (proc(5)).
  private static func currentCore() throws -> String {
    let status = try String(contentsOfFile: "/proc/thread-self/stat", encoding: .utf8)
    // The program's name, which may hold anything, is the second field, in parentheses.
    let fields = status.split(separator: ")").last?.split(separator: " ") ?? []
    try #require(fields.count > 36)
    return String(fields[36])
  }

  /// A call that another thread's call interrupts has two lines: it counts where it ends.
  private static func joined(_ lines: [String]) -> [TracedCall] {
    var begun: [Substring: String] = [:]
    var calls: [TracedCall] = []
    for line in lines {
      guard let space = line.firstIndex(of: " ") else { continue }
      let thread = line[..<space]
      let call = line[space...].drop { $0 == " " }
      if call.hasSuffix(" <unfinished ...>") {
        begun[thread] = String(call.dropLast(" <unfinished ...>".count))
      } else if call.hasPrefix("<... "), let end = call.range(of: " resumed>") {
        let begin = begun.removeValue(forKey: thread) ?? ""
        calls.append(TracedCall(String(thread), begin + call[end.upperBound...]))
      } else {
        calls.append(TracedCall(String(thread), String(call)))
      }
    }
    return calls
  }
}

/// One call to the system, as strace prints it.
struct TracedCall {
  /// The thread that made it.
  let thread: String
  let text: String
  /// The call's name.
  let name: String
  /// The arguments that name its files: paths as given, and paths of descriptors.
  let operands: [String]

  init(_ thread: String, _ text: String) {
    self.thread = thread
    self.text = text
    name = String(text.prefix { $0 != "(" })
    // Written data may look like anything: only a write's descriptor names its file.
    let isWrite = name.contains("write")
    let arguments = text.dropFirst(name.count + 1)
    let end = arguments.range(of: isWrite ? ">" : ") ")?.upperBound ?? arguments.endIndex
    operands = arguments[..<end].matches(of: /<([^>]*)>|"([^"]*)"/).compactMap { match in
      (match.output.1 ?? match.output.2).map(String.init)
    }
  }

  /// The absolute paths of its files: a name is joined with the folder before it.
  var paths: [String] {
    var paths: [String] = []
    for operand in operands {
      if operand.hasPrefix("/") || paths.isEmpty {
        paths.append(operand)
      } else {
        paths[paths.count - 1] += "/" + operand
      }
    }
    return paths
  }
}
