import Foundation
import HoldfastTestSupport
import Testing

/// Makes the reading calls of a backup and a restore fail, in turn; `LibraryOperation` has the
/// writing calls. strace counts each thread's calls separately; a backup works in one thread.
@Suite("Backups on failing disks", .temporaryFolder)
struct BackupFaultTests {
  let library = LibraryFolder()
  let backups = Backups()

  private static let calls = ["openat", "getdents64", "flock", "utimensat", "pread64", "read"]
  private static let errors = ["EIO", "ENOMEM", "EACCES"]

  /// A call, its number, and how it fails.
  private static let faults: [(call: String, number: Int, error: String)] = {
    let all = calls.flatMap { call in
      (1...6).map { number in
        // The first files that are opened and read are the program's own libraries. The errors take
        // turns.
        (
          call: call, number: ["openat", "read"].contains(call) ? number * 10 + 40 : number,
          error: errors[number % errors.count]
        )
      }
    }
    return stride(from: Int(Extent.seed % 3), to: all.count, by: 3).map { all[$0] }
  }()

  /// Runs `holdfast` with a fault. Returns whether the fault met a call, and the status.
  private func run(
    _ arguments: [String], _ fault: (call: String, number: Int, error: String)
  ) async throws -> CommandResult {
    try await Command.run(
      "strace",
      [
        "-f", "-qq", "-y", "-o", temporary("trace"), "-e", "trace=\(fault.call)", "-e",
        "inject=\(fault.call):error=\(fault.error):when=\(fault.number)", try Command.holdfast,
      ] + arguments)
  }

  /// Whether the fault met a call on the test's files, and not one that started the program.
  private func hasStruck() throws -> Bool {
    try Strace.calls(in: temporary("trace")).contains { call in
      call.text.contains("(INJECTED)")
        && call.operands.contains { $0.hasPrefix(TemporaryFolder.current) }
    }
  }

  @Test(
    "If a call of a backup fails, older backups and the library stay whole, and the next succeeds",
    .notInSample, .timeLimit(.minutes(30)))
  func backup() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await library.holdfast("backup", backups.path)
    let first = try backups.newest()
    try await library.importing("hevc8.mp4", "voice.wav")
    var failures = 0
    for fault in Self.faults {
      let moment = "\(fault)"
      let before = try backups.names()
      let result = try await run(
        library.command(["backup", backups.path, "--keep", "all"]), fault)
      let names = try backups.names()
      guard try hasStruck() else {
        for name in names where !before.contains(name) {
          try FileManager.default.removeItem(atPath: "\(backups.path)/\(name)")
        }
        continue
      }
      if result.status == 0 || result.status == 3 {
        #expect(names.count == before.count + 1, "\(moment): \(result.errorOutput)")
      } else {
        failures += 1
        #expect(result.status == 1, "\(moment): \(result.status) \(result.errorOutput)")
        #expect(!result.errorOutput.isEmpty, "\(moment)")
      }
      for name in names where !before.contains(name) {
        try await backups.expectValid("\(backups.path)/\(name)", moment)
      }
      try await backups.expectValid(first, moment)
      // It removes the other's leftovers.
      let next = try await library.holdfast("backup", backups.path, "--keep", "all")
      #expect(next.status == 0, "\(moment): \(next.errorOutput)")
      for name in try backups.names() where "\(backups.path)/\(name)" != first {
        try FileManager.default.removeItem(atPath: "\(backups.path)/\(name)")
      }
    }
    #expect(failures > 0)
    try await library.expectSound()
    let left = try FileManager.default.contentsOfDirectory(atPath: backups.path)
    #expect(!left.contains { $0.hasSuffix(".partial") || $0 == ".removed" }, "\(left)")
  }

  @Test(
    "If a call of a restore fails, it leaves a whole library or none, and the backup stays whole",
    .notInSample, .timeLimit(.minutes(30)))
  func restore() async throws {
    try await library.importing("portrait.mov", "aac.m4a")
    try await library.holdfast("backup", backups.path)
    let target = temporary("restored")
    var failures = 0
    for fault in Self.faults {
      let moment = "\(fault)"
      let result = try await run(["restore", backups.path, "--to", target], fault)
      guard try hasStruck() else {
        try? FileManager.default.removeItem(atPath: target)
        continue
      }
      if FileManager.default.fileExists(atPath: target) {
        let restored = LibraryFolder(at: "restored")
        #expect(try await restored.column("SELECT count(*) FROM recording") == ["2"], "\(moment)")
        try await restored.expectSound(moment)
        try FileManager.default.removeItem(atPath: target)
      } else {
        failures += 1
        #expect(result.status == 1, "\(moment): \(result.status) \(result.errorOutput)")
      }
      try await backups.expectValid(try backups.newest(), moment)
    }
    #expect(failures > 0)
  }
}
