internal import Foundation
internal import Holdfast
internal import Hummingbird
internal import Synchronization

/// The imports of all pages. They share one limit on how many are made at a time.
final class Imports: Sendable {
  /// What became of an import.
  struct Outcome: Encodable, Sendable {
    var event: String
    var recordings: [RecordingOutput] = []
    var warnings: [String]?
    var code: String?
    var error: String?
    /// What a person reads.
    var sentence: String
    /// The first recording that it became, or was before.
    var recording: UUID?

    static let interrupted = Outcome(
      event: "interrupted", code: "interrupted", error: "it was interrupted; try again",
      sentence: "it was interrupted; try again")

    private enum CodingKeys: String, CodingKey { case event, recordings, warnings, code, error }
  }

  /// An import that a page looks at.
  struct Progress: Sendable {
    var done = 0.0
    var outcome: Outcome?
  }

  /// How many files are converted at a time.
  static let most = 2
  /// How many finished imports are remembered, so that a page can still ask.
  private static let remembered = 1000
  private let host: LibraryHost
  private let places: AsyncPlaces
  private struct State {
    var running: [UUID: Progress] = [:]
    var order: [UUID] = []
    var tasks: [UUID: Task<Outcome, Never>] = [:]
    /// Whether the server ends, so that no further import begins.
    var isEnding = false
  }
  private let state = Mutex(State())

  init(host: LibraryHost, places: AsyncPlaces) {
    self.host = host
    self.places = places
  }

  /// Takes a file that comes in pieces.
  ///
  /// - Parameters:
  ///   - name: The file's name.
  ///   - next: Returns the next piece; `nil` at the end.
  /// - Throws: What `next` throws, and `LibraryError`. Nothing is then kept.
  func receive(
    _ name: String, _ next: () async throws -> ByteBuffer?
  ) async throws -> Upload {
    let library = try await host.writer()
    // A name is only shown. What no file's name has is left out of it.
    let shown = String(
      name.filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 } }.prefix(200))
    let upload = try await host.write { _ in try library.beginUpload(named: shown) }
    do {
      while let piece = try await next() {
        try await host.copying { try upload.write(ArraySlice(piece.readableBytesView)) }
      }
      return upload
    } catch {
      upload.discard()
      throw error
    }
  }

  /// Begins an import, and returns its identity.
  func begin(_ upload: Upload, _ options: ImportOptions) -> UUID {
    let id = UUID()
    state.withLock { state in
      state.running[id] = Progress()
      state.order.append(id)
      if state.order.count > Self.remembered { state.running[state.order.removeFirst()] = nil }
      state.tasks[id] = Task { [self] in
        let outcome = await places.use { await self.run(upload, options, id) }
        upload.discard()
        update(id) { $0.outcome = outcome }
        self.state.withLock { _ = $0.tasks.removeValue(forKey: id) }
        return outcome
      }
      if state.isEnding { state.tasks[id]?.cancel() }
    }
    return id
  }

  /// Imports an upload, and returns what became of it.
  func result(of upload: Upload, _ options: ImportOptions) async -> Outcome {
    let id = begin(upload, options)
    if let task = state.withLock({ $0.tasks[id] }) { return await task.value }
    return progress(id)?.outcome ?? Outcome.interrupted
  }

  /// Whether any import is in progress.
  var areRunning: Bool { state.withLock { !$0.tasks.isEmpty } }

  /// Undoes the imports that are in progress, and waits for that. No further one begins.
  func end() async {
    let tasks = state.withLock { state in
      state.isEnding = true
      return Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.value }
  }

  /// How far an import is; `nil` if there is none.
  func progress(_ id: UUID) -> Progress? { state.withLock { $0.running[id] } }

  private func update(_ id: UUID, _ change: (inout Progress) -> Void) {
    state.withLock { state in
      guard var progress = state.running[id] else { return }
      change(&progress)
      state.running[id] = progress
    }
  }

  private func run(_ upload: Upload, _ options: ImportOptions, _ id: UUID) async -> Outcome {
    do {
      try Task.checkCancellation()
      let library = try await host.writer()
      var options = options
      options.jobs = 1
      for try await event in try library.importUpload(upload, options: options) {
        switch event {
        case .converting(_, let done): update(id) { $0.done = done }
        case .imported(_, let recordings, let warnings, _):
          return Outcome(
            event: "imported", recordings: recordings.map(RecordingOutput.init), warnings: warnings,
            sentence: (["it is in your library"] + warnings).joined(separator: "; "),
            recording: recordings.first?.id)
        case .skipped(_, .duplicate(let known)):
          let recording = try await host.read { try $0.recording(id: known) }
          return Outcome(
            event: "skipped", recordings: [recording].compactMap { $0.map(RecordingOutput.init) },
            sentence: "you have this already", recording: known)
        case .failed(_, let error):
          return Outcome(
            event: "failed", code: error.code.rawValue, error: error.description,
            sentence: error.description)
        case .skipped, .discovered: continue
        case .interrupted:
          return .interrupted
        }
      }
      throw CancellationError()
    } catch is CancellationError {
      return .interrupted
    } catch {
      let problem = WebProblem(error)
      return Outcome(
        event: "failed", code: problem.code, error: problem.detail, sentence: problem.detail)
    }
  }
}

/// Places for tasks, first come, first served.
actor AsyncPlaces {
  private var free: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(_ count: Int) { free = count }

  func use<Value: Sendable>(_ body: @Sendable () async -> Value) async -> Value {
    if free > 0 {
      free -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
    defer {
      if waiting.isEmpty {
        free += 1
      } else {
        waiting.removeFirst().resume()
      }
    }
    return await body()
  }
}
