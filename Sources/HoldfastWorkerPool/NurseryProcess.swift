import Foundation
import Glibc
import HoldfastModel
import HoldfastSupport
import HoldfastWire
import Synchronization

/// The running process from which workers are forked.
///
/// It need not be ended. It ends when its socket is closed. This happens when the last
/// reference to this object is released, or when this process ends. Its workers end in the same
/// way.
final class NurseryProcess: Sendable {
  /// The least time that the process is given to start, in seconds. A cold disk may be slow.
  private static let startTimeout = 30.0
  /// The least time that it is given for an answer, in seconds. It answers within milliseconds,
  /// unless the machine is busy.
  private static let leastTimeout = 5.0

  /// The longest that an answer may take, in seconds.
  private let timeout: Double

  private let channel: FrameChannel
  /// Held while a request waits for its answer, so that there is only one at a time.
  private let asking = Mutex(())
  private let hasRehearsed = Atomic(false)
  private let process: ChildProcess

  /// Starts the program, and waits until it can start workers. If the task is cancelled, the
  /// program is killed. It may go `seconds` without an answer: a process that was stopped never
  /// answers.
  static func start(
    _ program: WorkerProgram, answeringWithin seconds: Double
  ) async throws -> NurseryProcess {
    let nursery = try await onOwnThread { _ in
      do throws(WireError) { return try NurseryProcess(program.path, seconds) } catch {
        throw program.unusable("could not be started: \(error)")
      }
    }
    return try await withTaskCancellationHandler {
      try await onOwnThread { _ in try nursery.greet(as: program) }
      return nursery
    } onCancel: {
      nursery.process.kill()
    }
  }

  private func greet(as program: WorkerProgram) throws {
    switch greeting() {
    case .ready(let greeting)? where greeting == WorkerGreeting(): return
    case .ready?:
      throw program.unusable(
        "has another version than this program", "compare the versions")
    case .unfit(let reason)?: throw program.unusable(reason.escapedForDisplay)
    default:
      channel.close()
      switch process.end() {
      case .exited(let status): throw program.unusable("ended at once (status \(status))", "start")
      case .signaled(let number):
        throw program.unusable("ended at once (signal \(number))", "start")
      case .killed: throw program.unusable("did not answer, and was killed", "import")
      case .unknown: throw program.unusable("ended at once", "start")
      }
    }
  }

  private init(_ path: String, _ seconds: Double) throws(WireError) {
    timeout = max(seconds, Self.leastTimeout)
    let (channel, otherEnd) = try FrameChannel.pair()
    self.channel = channel
    process = try ChildProcess(
      path, environment: Self.environment, standardInput: OwnDescriptor(owning: otherEnd))
  }

  /// Starts a worker. The calling thread waits some milliseconds. Throws `WireError` if the nursery
  /// has ended, or `HoldfastError` if the system refuses.
  func startWorker() throws -> WorkerProcess {
    let channel: FrameChannel
    let socket: OwnDescriptor
    do throws(WireError) {
      let (ours, otherEnd) = try FrameChannel.pair()
      (channel, socket) = (ours, OwnDescriptor(owning: otherEnd))
    } catch { throw Self.refusal(error) }
    let (reply, descriptors) = try asking.withLock { _ in
      try ask([], beside: [socket.number])
    }
    switch (reply, descriptors.first) {
    case (.started(let process), let end?) where descriptors.count == 1:
      return WorkerProcess(number: process, end: ProcessDescriptor(end), channel, self)
    case (.refused(let number), nil): throw Self.refusal(.system(number))
    // This process has no room for the worker's descriptor. The worker ends, because its socket is
    // closed.
    case (.started, nil): throw Self.refusal(.system(EMFILE))
    default:
      self.channel.close()
      throw WireError.malformed("it is not a message of the nursery")
    }
  }

  /// Returns the error for a refusal by the system. The nursery stays, because the system may allow
  /// the next job.
  private static func refusal(_ error: WireError) -> HoldfastError {
    HoldfastError(.worker, "the decoder could not be started: \(error)", operation: "import")
  }

  /// Tells the nursery, once, to prepare for conversions, so that later workers start faster. Only
  /// the next worker waits for this. A caller that only probes or draws thumbnails should not ask
  /// for it.
  func rehearse() {
    guard hasRehearsed.exchange(true, ordering: .relaxed) == false else { return }
    let content = try? WireCoding.encode(NurseryRequest.rehearse)
    try? content.map { try channel.send($0, within: timeout) }
  }

  /// Returns how a worker ended. The worker must be known to have ended.
  func reap(_ process: Int32) -> WorkerEnd {
    let answer = asking.withLock { _ in
      try? ask(WireCoding.encode(NurseryRequest.reap(process: process)))
    }
    return switch answer?.0 {
    case .ended(let status?, nil): .exited(status)
    case .ended(nil, let signal?): .signaled(signal)
    default: .unknown
    }
  }

  /// Sends one request, and waits for its answer.
  ///
  /// If an answer does not come, the nursery is killed, and nothing more is asked. A late answer
  /// would otherwise count as the answer to another request, and its process as another.
  private func ask(
    _ content: [UInt8], beside descriptors: [CInt] = []
  ) throws(WireError) -> (NurseryReply, [OwnDescriptor]) {
    do throws(WireError) {
      try channel.send(content, descriptors: descriptors, within: timeout)
      guard let frame = try channel.receive(within: timeout) else { throw .system(EPIPE) }
      return (try WireCoding.decode(NurseryReply.self, from: frame.content), frame.descriptors)
    } catch {
      channel.close()
      process.kill()
      throw error
    }
  }

  private func greeting() -> NurseryReply? {
    let seconds = max(timeout, Self.startTimeout)
    guard let frame = try? channel.receive(within: seconds) else { return nil }
    return try? WireCoding.decode(NurseryReply.self, from: frame.content)
  }

  /// Kills the process and waits for its end. It has nothing to finish, and a process that was
  /// stopped would not see that its socket is closed.
  func end() async {
    channel.close()
    process.kill()
    do { _ = try await onOwnThread { [process] _ in process.end() } } catch {
      // A thread that waits has no room, and the killed process ends in a moment.
      _ = process.end()
    }
  }

  /// The environment of the process: where the libraries are, if they are not in the usual place,
  /// and that crashes need no backtrace.
  private static var environment: [String: String] {
    var variables = [
      "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
      // Each further arena takes 64 MiB of address space, which is limited, and few threads do the
      // work.
      "MALLOC_ARENA_MAX": "2",
      // Memory for one file's pictures is used again for the next file's. Otherwise the kernel
      // would clear the same pages again for each file.
      "MALLOC_MMAP_THRESHOLD_": "\(32 << 20)", "MALLOC_TRIM_THRESHOLD_": "\(256 << 20)",
    ]
    for name in ["LD_LIBRARY_PATH", "ASAN_OPTIONS"] {
      variables[name] = ProcessInfo.processInfo.environment[name]
    }
    return variables
  }
}

extension WorkerProgram {
  fileprivate func unusable(_ reason: String, _ operation: String? = nil) -> HoldfastError {
    HoldfastError(.worker, "\(path.escapedForDisplay) \(reason)", operation: operation)
  }
}
