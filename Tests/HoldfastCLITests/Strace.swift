import Foundation
import HoldfastTestSupport
import Testing

/// What strace saw of a command.
struct Strace {
  var result: CommandResult
  /// The calls in order, without the thread's number, and descriptors with their paths.
  var calls: [String]

  /// Runs `holdfast` under strace.
  ///
  /// - Parameters:
  ///   - expression: What is traced, such as `trace=fsync`, or `inject=…`.
  ///   - program: The program; `holdfast` if `nil`.
  static func run(
    _ expressions: [String], _ arguments: [String], program: String? = nil
  ) async throws -> Strace {
    let log = temporary("strace-\(UUID().uuidString)")
    let options = expressions.flatMap { ["-e", $0] }
    let result = try await Command.run(
      "strace",
      ["-f", "-qq", "-y", "-e", "signal=none", "-o", log] + options
        + [program ?? Command.holdfast] + arguments)
    let text = String(decoding: try Data(contentsOf: URL(filePath: log)), as: UTF8.self)
    return Strace(result: result, calls: joined(text.split(separator: "\n").map(String.init)))
  }

  /// A call that was interrupted by another thread's is in two lines: they count where it ends.
  private static func joined(_ lines: [String]) -> [String] {
    var begun: [Substring: String] = [:]
    var calls: [String] = []
    for line in lines {
      guard let space = line.firstIndex(of: " ") else { continue }
      let thread = line[..<space]
      let call = line[space...].drop { $0 == " " }
      if call.hasSuffix(" <unfinished ...>") {
        begun[thread] = String(call.dropLast(" <unfinished ...>".count))
      } else if call.hasPrefix("<... "), let end = call.range(of: " resumed>") {
        calls.append((begun.removeValue(forKey: thread) ?? "") + call[end.upperBound...])
      } else {
        calls.append(String(call))
      }
    }
    return calls
  }
}
