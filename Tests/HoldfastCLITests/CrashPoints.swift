import Foundation
import HoldfastTestSupport
import Testing

/// Every moment at which a command can die: each of its calls to the system that changes something.
struct CrashPoints {
  private let calls: [String]

  init(of calls: [String]) { self.calls = calls }

  /// Runs a command once for each of its calls, on a fresh copy of a library, and kills it there.
  ///
  /// - Parameters:
  ///   - library: The library; it stays as it is.
  ///   - arguments: The command.
  ///   - check: Looks at a copy afterwards.
  /// - Returns: How many moments there were.
  func visit(
    _ library: LibraryFolder, _ arguments: [String],
    _ check: (LibraryFolder) async throws -> Void
  ) async throws -> Int {
    let copy = LibraryFolder("copy")
    try await renew(copy, from: library)
    let trace = try await Strace.run(
      ["trace=\(calls.joined(separator: ","))"], copy.command(arguments))
    try #require(trace.result.status == 0, "\(trace.result.errorOutput)")
    let made = trace.calls.map { String($0.prefix { $0 != "(" }) }.filter(calls.contains)
    var seen: [String: Int] = [:]
    for call in made {
      seen[call, default: 0] += 1
      try await renew(copy, from: library)
      // strace counts each kind of call by itself.
      let inject = "inject=\(call):signal=KILL:when=\(seen[call] ?? 1)"
      let killed = try await Strace.run(["trace=\(call)", inject], copy.command(arguments))
      #expect(killed.result.status == 128 + SIGKILL, "\(call) \(seen[call] ?? 1)")
      try await check(copy)
    }
    return made.count
  }

  private func renew(_ copy: LibraryFolder, from library: LibraryFolder) async throws {
    _ = try await Command.output(of: "rm", ["-rf", copy.path])
    _ = try await Command.output(of: "cp", ["-a", library.path, copy.path])
  }
}
