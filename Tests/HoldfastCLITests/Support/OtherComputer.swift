import Foundation
import HoldfastTestSupport
import Testing

/// A second computer that uses the test's library, over a disk whose locks are not shared.
///
/// It is a mount namespace with another machine ID, in which `flock` excludes no process.
struct OtherComputer {
  /// The shared library that disables locks, also for commands of the first computer.
  let preload: String
  private let machineID: String

  init() async throws {
    preload = temporary("no-locks.so")
    _ = try await Command.output(
      of: "gcc",
      ["-shared", "-fPIC", "-O1", "-o", preload, Repository.root + "/scripts/no-locks.c"])
    machineID = temporary("machine-id")
    try Data("0123456789abcdef0123456789abcdef\n".utf8).write(to: URL(filePath: machineID))
  }

  /// Runs `holdfast` there.
  func holdfast(_ library: LibraryFolder, _ arguments: String...) async throws -> CommandResult {
    try await holdfast(library, arguments)
  }

  /// Runs `holdfast` there.
  func holdfast(_ library: LibraryFolder, _ arguments: [String]) async throws -> CommandResult {
    let script =
      "mount --bind \"$0\" /etc/machine-id || exit 99; export LD_PRELOAD=$1; exec \"${@:2}\""
    return try await Command.run(
      "unshare",
      ["-Urm", "bash", "-c", script, machineID, preload, try Command.holdfast]
        + library.command(arguments))
  }

  /// Whether a second computer can be made here.
  static func isPossible() async throws -> Bool {
    try await Command.run(
      "unshare", ["-Urm", "mount", "--bind", "/proc/version", "/etc/machine-id"]
    ).status == 0
  }
}

extension LibraryFolder {
  /// Makes everything in `.staging` and `.trash` seem unchanged for two days.
  func letTwoDaysPass() async throws {
    _ = try await Command.output(
      of: "find",
      ["\(path)/.staging", "\(path)/.trash", "-mindepth", "1"]
        + ["-exec", "touch", "-h", "-d", "2 days ago", "{}", "+"])
  }

  /// Everything in `.staging` and `.trash`.
  func unfinishedWork() async throws -> [String] {
    let all = try await Find.snapshot("\(path)/.staging") + Find.snapshot("\(path)/.trash")
    // The two folders themselves have no name here.
    return all.filter { !$0.hasSuffix(" ") }
  }

  /// The sorted hashes of all files except those that every command may change.
  func hashes() async throws -> [String] {
    let names = try await find(
      "-type", "f", "!", "-name", "catalog.sqlite*", "!", "-name", "notes.txt", "!", "-name",
      "lock",
      "!", "-name", ".lock")
    return try await sha256(of: names.map { "\(path)/\($0)" }).values.sorted()
  }
}
