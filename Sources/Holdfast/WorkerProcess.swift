internal import Foundation
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
  private let kills: AsyncStream<Void>.Continuation
  private let ended: Task<TerminationStatus, any Error>

  /// Starts the program.
  ///
  /// - Throws: `WireError` when no socket can be made. That the program cannot be started is seen at
  ///   its end.
  init(_ program: WorkerProgram) throws {
    let (channel, otherEnd) = try FrameChannel.pair()
    let (kills, continuation) = AsyncStream.makeStream(of: Void.self)
    self.channel = channel
    self.kills = continuation
    ended = Task {
      try await Subprocess.run(
        .path(FilePath(program.path)), environment: .custom(Self.environment),
        input: .fileDescriptor(
          FileDescriptor(rawValue: otherEnd), closeAfterSpawningProcess: true),
        output: .discarded, error: .discarded
      ) { execution in
        for await _ in kills { try? execution.send(signal: .kill) }
      }.terminationStatus
    }
  }

  deinit { kills.finish() }

  /// Ends it, whatever it does.
  @Sendable func kill() { kills.yield() }

  /// How it ended.
  ///
  /// - Returns: The end in a few words, as they follow "the decoder".
  func end() async -> WorkerEnd {
    kills.finish()
    return switch await ended.result {
    case .success(.exited(let status)): .exited(status)
    case .success(.signaled(let number)): .signaled(number)
    case .failure(let error): .neverStarted("\(error)")
    }
  }

  /// What a worker knows of its surroundings: where its libraries are, if not where they are
  /// expected, and that nobody wants to hear of its crashes.
  private static var environment: [Environment.Key: String] {
    var variables: [Environment.Key: String] = [
      "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
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
