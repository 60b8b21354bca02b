internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastWire
internal import Subprocess
internal import SystemPackage

/// A running worker: its socket, and its end.
///
/// Nobody needs to end it: it ends by itself when its socket is closed, with the last reference here
/// or with this process.
final class WorkerProcess: Sendable {
  /// Where jobs go and answers come from.
  let channel: FrameChannel
  private let release: AsyncStream<Never>.Continuation
  private let spawning: AsyncStream<Never>
  private let ended: Task<TerminationStatus, any Error>

  /// Starts the program.
  ///
  /// - Throws: `WireError` when no socket can be made. That the program cannot be started is seen at
  ///   its end.
  init(_ program: WorkerProgram) throws {
    let (channel, otherEnd) = try FrameChannel.pair()
    let (released, release) = AsyncStream.makeStream(of: Never.self)
    let (spawning, spawned) = AsyncStream.makeStream(of: Never.self)
    self.channel = channel
    self.release = release
    self.spawning = spawning
    ended = Task {
      defer { spawned.finish() }
      return try await Subprocess.run(
        .path(FilePath(program.path)), environment: .custom(Self.environment),
        input: .fileDescriptor(
          FileDescriptor(rawValue: otherEnd), closeAfterSpawningProcess: true),
        output: .discarded, error: .discarded
      ) { _ in
        spawned.finish()
        // Nobody waits for its end before somebody asks for it, or lets it go.
        for await _ in released {}
      }.terminationStatus
    }
  }

  deinit { release.finish() }

  /// Waits until it runs, or cannot be started. Where Swift's threads are all at other work, that may
  /// be long, and is no fault of the worker.
  func waitUntilSpawned() async { for await _ in spawning {} }

  /// Ends it, whatever it does: a cancelled run kills its process.
  func kill() { ended.cancel() }

  /// How it ended.
  ///
  /// - Returns: The end in a few words, as they follow "the decoder".
  func end() async -> WorkerEnd {
    release.finish()
    return switch await ended.result {
    case .success(.exited(let status)): .exited(status)
    case .success(.signaled(let number)): .signaled(number)
    case .failure(is CancellationError): .signaled(SIGKILL)
    case .failure(let error): .neverStarted("\(error)")
    }
  }

  /// What a worker knows of its surroundings: where its libraries are, if not where they are
  /// expected, and that nobody wants to hear of its crashes.
  private static var environment: [Environment.Key: String] {
    var variables: [Environment.Key: String] = [
      "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
      // Each further arena takes 64 MiB of address space, which is limited; and the work is done by
      // few threads.
      "MALLOC_ARENA_MAX": "2",
      // What one file's pictures were in serves for the next one's: else the kernel would clear the
      // same pages again for each.
      "MALLOC_MMAP_THRESHOLD_": "\(32 << 20)", "MALLOC_TRIM_THRESHOLD_": "\(256 << 20)",
    ]
    for name in ["LD_LIBRARY_PATH", "ASAN_OPTIONS"] {
      variables[Environment.Key(stringLiteral: name)] = ProcessInfo.processInfo.environment[name]
    }
    return variables
  }
}

/// How a worker ended.
enum WorkerEnd: Hashable, Sendable {
  case exited(Int32)
  case signaled(Int32)
  case neverStarted(String)
}
