import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool

/// The programs that the tests run as workers.
enum Workers {
  /// The program that people run.
  static var real: WorkerProgram { get throws { WorkerProgram(path: try Command.holdfastWorker) } }

  /// The program whose jobs behave like a compromised decoder.
  static var hostile: WorkerProgram {
    get throws {
      let folder = URL(fileURLWithPath: try Command.builtHoldfast).deletingLastPathComponent()
      return WorkerProgram(path: folder.appendingPathComponent("HoldfastTestWorker").path)
    }
  }
}

extension Workers {
  /// A pool of hostile workers.
  static var hostilePool: WorkerPool { get throws { WorkerPool(try hostile) } }
}

/// A path in the running test's folder.
func temporary(_ name: String) -> String { "\(TemporaryFolder.current)/\(name)" }

/// A program that runs a worker under strace, which makes system calls fail.
///
/// - Parameter fault: strace's injection, such as `inject=seccomp:retval=0`.
func tracedWorker(_ program: WorkerProgram, _ fault: String) throws -> WorkerProgram {
  let wrapper = temporary("traced-\(UUID().uuidString)")
  try Data(
    "#!/bin/sh\nexec strace -f -qq -o '\(wrapper).log' -e '\(fault)' '\(program.path)'\n".utf8
  ).write(to: URL(fileURLWithPath: wrapper))
  try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: wrapper)
  return WorkerProgram(path: wrapper)
}

/// Lends a file in the test's folder, whose content does not matter, under `name`.
func withSource<Result>(
  _ name: String, _ body: (OpenMedia) async throws -> Result
) async throws -> Result {
  try await withFile(Fixtures.path("aac.m4a"), as: name, body)
}

/// Opens a file, and lends it under a name for as long as `body` runs.
func withFile<Result>(
  _ path: String, as name: String? = nil, flags: CInt = O_RDONLY,
  _ body: (OpenMedia) async throws -> Result
) async throws -> Result {
  let descriptor = open(path, flags | O_CLOEXEC, 0o600)
  guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
  defer { close(descriptor) }
  let own = URL(fileURLWithPath: path).lastPathComponent
  return try await body(OpenMedia(descriptor: descriptor, name: name ?? own))
}

extension WorkerPool {
  /// Makes the hostile worker do something.
  ///
  /// - Returns: Its report.
  @discardableResult
  func doing(_ name: String) async throws -> String {
    try await withSource(name) { try await probe($0, depth: .header).container }
  }
}

/// The error that a job ends with.
func mediaError(of job: () async throws -> Void) async throws -> HoldfastError? {
  do {
    try await job()
    return nil
  } catch let error as HoldfastError {
    return error
  }
}
