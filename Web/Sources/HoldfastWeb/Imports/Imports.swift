import Foundation
import Holdfast
import HoldfastSupport
import Hummingbird
import Synchronization

/// The imports of all pages, with one limit on how many run at a time.
final class Imports: Sendable {
  struct Outcome: Sendable {
    var output: ImportOutput
    /// The sentence that people read.
    var sentence: String
    /// The recordings that were made from it, or the existing one.
    var recordings: [Recording] = []
    /// How long a file is that is too long.
    var seconds: Double?
    /// Whether the file is too long, and waits until the user chooses what to keep.
    var isWaiting = false

    /// An import that failed for this reason, or was interrupted.
    init(_ event: String, of name: String, code: String, error: String) {
      output = ImportOutput(event, source: name)
      output.code = code
      output.error = error
      sentence = error
    }

    init(_ output: ImportOutput, sentence: String, recordings: [Recording] = []) {
      self.output = output
      self.sentence = sentence
      self.recordings = recordings
    }

    static func interrupted(_ name: String) -> Outcome {
      Outcome(
        "interrupted", of: name, code: "interrupted", error: "it was interrupted; try again")
    }
  }

  struct Progress: Sendable {
    var done = 0.0
    var outcome: Outcome?
  }

  /// How many files are converted at a time.
  static let most = 2
  /// How many finished imports are remembered, so that a page can still ask.
  private static let remembered = 1000
  private let host: LibraryHost
  private let semaphore: AsyncSemaphore
  private let kept = KeptUploads()
  private struct State {
    var running: [UUID: Progress] = [:]
    var order: [UUID] = []
    var tasks: [UUID: Task<Outcome, Never>] = [:]
    /// Whether the server is ending, so that no further import starts.
    var isEnding = false
  }
  private let state = Mutex(State())

  init(host: LibraryHost, semaphore: AsyncSemaphore) {
    self.host = host
    self.semaphore = semaphore
  }

  /// Stores a file that comes in pieces, until `next` returns `nil`.
  ///
  /// - Throws: Errors of `next`, and `HoldfastError`. Then nothing is kept.
  func receive(
    _ name: String, _ next: () async throws -> ByteBuffer?
  ) async throws -> Upload {
    try await host.receive(name, next)
  }

  func begin(_ upload: Upload, _ options: ImportOptions) -> UUID {
    let id = UUID()
    state.withLock { state in
      state.running[id] = Progress()
      state.order.append(id)
      if state.order.count > Self.remembered { state.running[state.order.removeFirst()] = nil }
      state.tasks[id] = Task { [self] in
        var outcome = await semaphore.withPermit {
          await self.run(upload, options: options, id: id)
        }
        if outcome.output.code == HoldfastError.Code.overLimit.rawValue {
          outcome.isWaiting = kept.keep(upload, options, as: id)
        }
        if !outcome.isWaiting { upload.discard() }
        let ended = outcome
        update(id) { $0.outcome = ended }
        self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
        return outcome
      }
      if state.isEnding { state.tasks[id]?.cancel() }
    }
    return id
  }

  /// Begins to import a file again that was too long, as the user has chosen.
  ///
  /// - Throws: ``WebProblem`` if the file does not wait any more.
  func resume(_ id: UUID, _ choice: OverLimitPolicy) throws -> UUID {
    guard let (upload, options) = kept.take(id) else {
      throw WebProblem(
        .conflict, code: "noUpload", detail: "Holdfast no longer has this file; choose it again")
    }
    var chosen = options
    chosen.conversion.overLimit = choice
    return begin(upload, chosen)
  }

  /// Waits until an import has ended.
  func result(of id: UUID) async throws -> Outcome {
    if let task = state.withLock({ $0.tasks[id] }) { return await task.value }
    guard let outcome = progress(id)?.outcome else { throw WebProblem.notFound }
    return outcome
  }

  var areRunning: Bool { state.withLock { !$0.tasks.isEmpty } }

  /// Undoes the imports in progress, and waits until that is done. No further import starts.
  func end() async {
    let tasks = state.withLock { state in
      state.isEnding = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
    kept.end()
  }

  func progress(_ id: UUID) -> Progress? { state.withLock { $0.running[id] } }

  private func update(_ id: UUID, _ change: (inout Progress) -> Void) {
    state.withLock { state in
      guard var progress = state.running[id] else { return }
      change(&progress)
      state.running[id] = progress
    }
  }

  private func run(_ upload: Upload, options: ImportOptions, id: UUID) async -> Outcome {
    do {
      try Task.checkCancellation()
      let library = try await host.writer()
      var options = options
      options.jobs = 1
      for try await event in try library.importUpload(upload, options: options) {
        if case .converting(_, let done) = event { update(id) { $0.done = done } }
        guard let output = ImportOutput(event, explaining: { WebProblem($0).detail }) else {
          continue
        }
        var outcome = try await outcome(of: output)
        if case .failed(_, let failure) = event { outcome.seconds = failure.duration }
        return outcome
      }
      throw CancellationError()
    } catch is CancellationError {
      return .interrupted(upload.name)
    } catch {
      let problem = WebProblem(error)
      return Outcome("failed", of: upload.name, code: problem.code, error: problem.detail)
    }
  }

  private func outcome(of event: ImportOutput) async throws -> Outcome {
    var output = event
    if let error = output.error { return Outcome(output, sentence: error) }
    if output.event == "interrupted" { return .interrupted(output.source) }
    if let known = output.recording {
      // The page shows its title.
      let recording = try await host.read { try $0.recording(id: known) }
      output.recordings = recording.map { [RecordingOutput($0)] }
      return Outcome(
        output, sentence: "already in your library", recordings: [recording].compactMap(\.self))
    }
    let ids = output.recordings?.map(\.id) ?? []
    let recordings = try await host.read { library in
      try ids.compactMap { try library.recording(id: $0) }
    }
    let sentence = (["added to your library"] + (output.warnings ?? [])).joined(separator: "; ")
    return Outcome(output, sentence: sentence, recordings: recordings)
  }
}
