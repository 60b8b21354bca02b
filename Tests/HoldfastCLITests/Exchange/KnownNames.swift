import Foundation
import HoldfastTestSupport

/// What makes a command give the same names to what it makes, each time that it is run: see
/// `scripts/known-names.c`.
struct KnownNames {
  /// What strace is told, so that the command is run with it.
  let options: [String]

  /// Makes names in the test's folder.
  init() async throws {
    let program = temporary("known-names.so")
    let source = Repository.root + "/scripts/known-names.c"
    _ = try await Command.output(of: "gcc", ["-shared", "-fPIC", "-O1", "-o", program, source])
    let bytes = temporary("known-bytes")
    try Data((0..<65_536).map { _ in UInt8.random(in: .min ... .max) })
      .write(to: URL(filePath: bytes))
    // Ahead, by less than what is no recording's time: threads of libdispatch that have nothing to do
    // end when the clock says so, and their successors would make their calls.
    let time = Int(Date(timeIntervalSinceNow: 12 * 60 * 60).timeIntervalSince1970)
    options = [
      "LD_PRELOAD=\(program)", "KNOWN_BYTES=\(bytes)",
      "KNOWN_TIME=\(time)",
    ].flatMap { ["-E", $0] }
  }
}
