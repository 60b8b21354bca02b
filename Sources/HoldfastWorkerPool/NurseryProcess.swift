internal import Foundation
internal import Glibc
internal import HoldfastModel
internal import HoldfastSupport
internal import HoldfastWire
internal import Subprocess
internal import Synchronization
internal import SystemPackage

/// The running process that workers come from.
///
/// Nobody needs to end it: it ends by itself when its socket is closed, with the last reference here
/// or with this process, and its workers do the same.
final class NurseryProcess: Sendable {
  /// How long it may take to begin, in seconds: a matter of a moment, on any machine.
  private static let startTimeout = 60.0
  /// How long it may take to end, in seconds: the matter of a moment as well.
  private static let endTimeout = 2.0

  private let program: WorkerProgram
  private let channel: FrameChannel
  /// One request at a time.
  private let asking = Mutex(())
  private let hasRehearsed = Atomic(false)
  private let release: AsyncStream<Never>.Continuation
  private let spawning: AsyncStream<Never>
  private let ended: Task<TerminationStatus, any Error>
  private let process: Running

  /// The process, once it runs. What is sent through a descriptor of its own reaches no other process,
  /// and Subprocess, which waits for it, is not disturbed.
  private final class Running: Sendable {
    private let descriptor = Mutex<ProcessDescriptor?>(nil)

    /// - Parameter child: Its number; nobody has waited for it yet.
    func begin(_ child: Int32) { descriptor.withLock { $0 = ProcessDescriptor(child: child) } }

    func kill() { descriptor.withLock(\.self)?.kill() }

    /// Kills it unless it ends soon: one that was stopped never sees that its socket is closed.
    func end(within seconds: Double) {
      let descriptor = descriptor.withLock(\.self)
      if descriptor?.waitForEnd(within: seconds) == false { descriptor?.kill() }
    }
  }

  /// Starts the program, and waits until workers can be asked for.
  ///
  /// - Throws: `MediaError` that says why it cannot be used; `WireError` when no socket can be made.
  static func start(_ program: WorkerProgram) async throws -> NurseryProcess {
    let nursery = try NurseryProcess(program)
    // Where Swift's threads are all at other work, that may be long, and is no fault of the program.
    for await _ in nursery.spawning {}
    let greeting = try await onOwnThread(abandonsWork: true) { _ in nursery.greeting() }
    switch greeting {
    case .ready(let greeting)? where greeting == WorkerGreeting(): return nursery
    case .ready?:
      throw nursery.unusable(
        "is of another version than this program; install both from one build")
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
        // Nobody waits for its end before somebody asks for it, or lets it go.
        for await _ in released {}
      }.terminationStatus
    }
  }

  deinit { release.finish() }

  /// Starts a worker. The calling thread waits; it takes some milliseconds.
  ///
  /// - Throws: `WireError` when the nursery has ended; `MediaError` when the system refuses.
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
    // This process has no room for the worker's descriptor. The worker ends, for its socket is closed.
    case (.started, nil): throw Self.refusal(.system(EMFILE))
    default:
      self.channel.close()
      throw WireError.malformed("it is not what a nursery says")
    }
  }

  /// What the system refuses now it may grant the next job: the nursery stays.
  private static func refusal(_ error: WireError) -> MediaError {
    MediaError(.worker, "the decoder could not be started: \(error); import it again")
  }

  /// Has the nursery make ready, once, what conversions use; those of later workers begin faster. Nobody
  /// waits for it but the next worker: whoever only probes or draws thumbnails should not ask for it.
  func rehearse() {
    guard hasRehearsed.exchange(true, ordering: .relaxed) == false else { return }
    let content = try? WireCoding.encode(NurseryRequest.rehearse)
    try? content.map { try channel.send($0, within: Self.startTimeout) }
  }

  /// How a worker has ended of which it is known that it has.
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

  /// Asks one thing. After one answer that did not come, the next one to come would be taken for that of
  /// another question, and its process for another's: then nothing more is asked, and the nursery ends.
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

  /// Waits for its end, after the last reference to its socket is gone; kills it when that takes too
  /// long.
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

  /// What it knows of its surroundings: where its libraries are, if not where they are expected, and
  /// that nobody wants to hear of its crashes.
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
