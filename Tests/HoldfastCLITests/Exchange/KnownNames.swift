import Foundation
import Glibc
import HoldfastTestSupport

/// Makes a command give the same names to its output in every run: see `scripts/known-names.c`.
struct KnownNames {
  /// The calls that the library can make fail.
  static let calls: Set = [
    "fchmod", "fdatasync", "fsync", "ftruncate", "linkat", "mkdirat", "openat", "pwrite64",
    "pwritev", "renameat", "renameat2", "unlink", "unlinkat", "write",
  ]

  /// The environment of the command.
  private let environment: [String]
  /// The options of strace for the same environment.
  var options: [String] { environment.flatMap { ["-E", $0] } }

  /// Makes names in the test's folder.
  ///
  /// - Parameter refusesLinks: Whether no file can have two names.
  init(refusingLinks refusesLinks: Bool = false) async throws {
    let program = temporary("known-names.so")
    let source = Repository.root + "/scripts/known-names.c"
    _ = try await Command.output(of: "gcc", ["-shared", "-fPIC", "-O1", "-o", program, source])
    let bytes = temporary("known-bytes")
    try Data((0..<65_536).map { _ in UInt8.random(in: .min ... .max) })
      .write(to: URL(filePath: bytes))
    // Ahead, but less than a recording's time may be: idle threads of libdispatch end by the clock,
    // and their successors would make their calls.
    let time = Int(Date(timeIntervalSinceNow: 12 * 60 * 60).timeIntervalSince1970)
    environment =
      [
        "LD_PRELOAD=\(program)", "KNOWN_BYTES=\(bytes)",
        "KNOWN_TIME=\(time)",
      ] + (refusesLinks ? ["NO_LINKS=1"] : [])
  }

  /// Runs a command with this fault at a point, counted over all of its threads.
  ///
  /// - Returns: The command's result; `nil` if no call was met.
  func run(
    _ arguments: [String], _ fault: CallFault, at point: FaultPoint, seconds: Int
  ) async throws -> CommandResult? {
    let met = temporary("fault-met")
    try Data().write(to: URL(filePath: met))
    let error =
      switch fault {
      case .ioError: EIO
      case .diskFull: ENOSPC
      case .noPermission: EACCES
      case .killed: CInt(0)
      }
    let program = try Command.holdfast
    let variables =
      environment + [
        "FAULT_PROGRAM=\(URL(filePath: program).lastPathComponent)", "FAULT_CALL=\(point.call)",
        "FAULT_PATH=\(point.path ?? "")", "FAULT_PLACE=\(point.place)", "FAULT_ERROR=\(error)",
        "FAULT_MET=\(met)",
      ]
    let result = try await Command.run(
      "timeout", ["-s", "KILL", "\(seconds)", "env"] + variables + [program] + arguments)
    return try Data(contentsOf: URL(filePath: met)).isEmpty ? nil : result
  }
}
