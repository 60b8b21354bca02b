internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// The running process from which workers are forked.
///
/// There is no need to end it. It ends when its socket is closed. This happens when the last
/// reference to this object is released, or when this process ends. Its workers end in the same
/// way.
final class NurseryProcess: Sendable {
  /// How long the process may take to start, in seconds. On any machine it takes only a moment.
  private static let startTimeout = 60.0
  /// How long the process may take to end, in seconds. This also takes only a moment.
  private static let endTimeout = 2.0

  private let program: WorkerProgram
  private let channel: FrameChannel
  /// Held while a request waits for its answer, so that there is only one at a time.
  private let asking = Mutex(())
  private let hasRehearsed = Atomic(false)
  private let release: AsyncStream<Never>.Continuation
  private let spawning: AsyncStream<Never>
  private let ended: Task<TerminationStatus, any Error>
  private let process: Running

  /// The process, once it runs.
  ///
  /// A signal through its own descriptor cannot reach another process. It also does not disturb
  /// Subprocess, which waits for the process.
  private final class Running: Sendable {
    private let descriptor = Mutex<ProcessDescriptor?>(nil)

    /// - Parameter child: The process's number. It must not have been waited for yet.
    func begin(_ child: Int32) { descriptor.withLock { $0 = ProcessDescriptor(child: child) } }

    func kill() { descriptor.withLock(\.self)?.kill() }

    /// Waits for the process to end, and kills it if it does not. A process that was stopped never
    /// sees that its socket is closed.
    func end(within seconds: Double) {
      let descriptor = descriptor.withLock(\.self)
      if descriptor?.waitForEnd(within: seconds) == false { descriptor?.kill() }
    }
  }

  /// Starts the program, and waits until it can start workers.
  ///
  /// - Throws: `MediaError` that says why the program cannot be used, or `WireError` if no socket
  ///   can be made.
  static func start(_ program: WorkerProgram) async throws -> NurseryProcess {
    let nursery = try NurseryProcess(program)
    // This may take long if all of Swift's threads are busy, which is not the program's fault.
    for await _ in nursery.spawning {}
    let greeting = try await onOwnThread(abandonsWork: true) { _ in nursery.greeting() }
    switch greeting {
    case .ready(let greeting)? where greeting == WorkerGreeting(): return nursery
    case .ready?:
      throw nursery.unusable(
        "has another version than this program; install both from one build")
    case .unfit(let reason)?: throw nursery.unusable(reason.escapedForDisplay)
    default:
      nursery.kill()
      throw nursery.unusable(await nursery.words(for: nursery.result()))
    }
  }

  private init(_ program: WorkerProgram) throws {
    let (channel, otherEnd) = try FrameChannel.pair()
    let (released, release) = AsyncStream.makeStream(of: Never.self)
    let (spawning, spawned) = AsyncStream.makeStream(of: Never.self)
    self.program = program
    self.channel = channel
    self.release = release
    self.spawning = spawning
    let process = Running()
    self.process = process
    ended = Task {
      defer { spawned.finish() }
      return try await Subprocess.run(
        .path(FilePath(program.path)), environment: .custom(Self.environment),
        input: .fileDescriptor(
          FileDescriptor(rawValue: otherEnd), closeAfterSpawningProcess: true),
        output: .discarded, error: .discarded
      ) { execution in
        process.begin(execution.processIdentifier.value)
        spawned.finish()
        // Wait until somebody asks for the end, or until this object is released.
        for await _ in released {}
      }.terminationStatus
    }
  }

  deinit { release.finish() }

  /// Starts a worker. The calling thread waits some milliseconds.
  ///
  /// - Throws: `WireError` if the nursery has ended, or `MediaError` if the system refuses.
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
  private static func refusal(_ error: WireError) -> MediaError {
    MediaError(.worker, "the decoder could not be started: \(error); import it again")
  }

  /// Tells the nursery, once, to prepare what conversions use, so that later workers start faster.
  ///
  /// Only the next worker waits for this. A caller that only probes or draws thumbnails should not
  /// ask for it.
  func rehearse() {
    guard hasRehearsed.exchange(true, ordering: .relaxed) == false else { return }
    let content = try? WireCoding.encode(NurseryRequest.rehearse)
    try? content.map { try channel.send($0, within: Self.startTimeout) }
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
  /// would otherwise be taken for the answer to another request, and its process for another.
  private func ask(
    _ content: [UInt8], beside descriptors: [CInt] = []
  ) throws(WireError) -> (NurseryReply, [OwnDescriptor]) {
    do throws(WireError) {
      var none: Deadline?
      try channel.send(content, descriptors: descriptors, within: Self.startTimeout)
      guard let frame = try channel.receive(within: Self.startTimeout, before: &none) else {
        throw .system(EPIPE)
      }
      return (try WireCoding.decode(NurseryReply.self, from: frame.content), frame.descriptors)
    } catch {
      channel.close()
      kill()
      throw error
    }
  }

  private func greeting() -> NurseryReply? {
    var none: Deadline?
    guard let frame = try? channel.receive(within: Self.startTimeout, before: &none) else {
      return nil
    }
    return try? WireCoding.decode(NurseryReply.self, from: frame.content)
  }

  private func unusable(_ reason: String) -> MediaError {
    MediaError(.worker, "\(program.path.escapedForDisplay) \(reason)")
  }

  private func kill() { process.kill() }

  /// Closes the socket and waits for the process to end. Kills it if that takes too long.
  func end() async {
    channel.close()
    let process = process
    try? await onOwnThread(abandonsWork: true) { _ in process.end(within: Self.endTimeout) }
    _ = await result()
  }

  private func result() async -> Result<TerminationStatus, any Error> {
    release.finish()
    return await ended.result
  }

  private func words(for end: Result<TerminationStatus, any Error>) -> String {
    switch end {
    case .success(.exited(let status)): "ended at once (status \(status)); install it again"
    case .success(.signaled(let number)): "ended at once (signal \(number)); install it again"
    case .failure(let error): "could not be started: \(error)"
    }
  }

  /// The environment of the process.
  ///
  /// It says where the libraries are, if they are not in the usual place, and that crashes need no
  /// backtrace.
  private static var environment: [Environment.Key: String] {
    var variables: [Environment.Key: String] = [
      "LC_ALL": "C", "SWIFT_BACKTRACE": "enable=no",
      // Each further arena takes 64 MiB of address space, which is limited, and few threads do the
      // work.
      "MALLOC_ARENA_MAX": "2",
      // Memory for one file's pictures is used again for the next file's. Otherwise the kernel
      // would clear the same pages again for each file.
      "MALLOC_MMAP_THRESHOLD_": "\(32 << 20)", "MALLOC_TRIM_THRESHOLD_": "\(256 << 20)",
    ]
    for name in ["LD_LIBRARY_PATH", "ASAN_OPTIONS"] {
      variables[Environment.Key(stringLiteral: name)] = ProcessInfo.processInfo.environment[name]
    }
    return variables
  }
}
