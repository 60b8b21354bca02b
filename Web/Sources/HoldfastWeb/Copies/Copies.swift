import Foundation
import Holdfast
import HoldfastSupport
import Synchronization

/// Makes playable copies of recordings for browsers that cannot play the stored files.
///
/// Each recording's copy is made once, however many pages wait for it.
final class Copies: Sendable {
  enum Progress: Sendable {
    /// It waits for its turn, or is being made. The value is the share done, from 0 to 1.
    case making(Double)
    case made
    case failed(WebProblem)
  }

  private struct State {
    var progress: [UUID: Double] = [:]
    var failures: [UUID: WebProblem] = [:]
    var tasks: [UUID: Task<Void, Never>] = [:]
    /// Whether the server is ending, so that no further copy starts.
    var isEnding = false
  }

  private let host: LibraryHost
  private let semaphore: AsyncSemaphore
  private let state = Mutex(State())

  init(host: LibraryHost, semaphore: AsyncSemaphore) {
    self.host = host
    self.semaphore = semaphore
  }

  /// Starts a copy, unless it exists or is being made.
  func begin(_ id: UUID) async throws -> Progress {
    let recording = try await host.read { try $0.recording(idPrefix: id.uuidString) }
    if let made = try await isMade(recording) { return made }
    state.withLock { state in
      guard state.tasks[id] == nil, !state.isEnding else { return }
      state.failures[id] = nil
      state.progress[id] = 0
      state.tasks[id] = Task { [self] in
        await semaphore.withPermit { await self.make(recording) }
      }
    }
    return .making(0)
  }

  func progress(of id: UUID) async throws -> Progress? {
    let known = state.withLock { state -> Progress? in
      if let done = state.progress[id] { return .making(done) }
      return state.failures[id].map { .failed($0) }
    }
    if let known { return known }
    return try await isMade(host.read { try $0.recording(idPrefix: id.uuidString) })
  }

  func wait(for id: UUID) async throws {
    await state.withLock { $0.tasks[id] }?.value
    if case .failed(let problem)? = try await progress(of: id) { throw problem }
  }

  var areRunning: Bool { state.withLock { !$0.tasks.isEmpty } }

  /// Cancels the copy of a recording that will be deleted, and waits until it has stopped.
  ///
  /// - Parameter id: The recording; `nil` for all recordings.
  func giveUp(_ id: UUID?) async {
    let tasks = state.withLock { state in
      id.map { [state.tasks[$0]].compactMap(\.self) } ?? Array(state.tasks.values)
    }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }

  /// Cancels all copies, and waits until they have stopped. No further copy starts.
  func end() async {
    state.withLock { $0.isEnding = true }
    await giveUp(nil)
  }

  private func isMade(_ recording: Recording) async throws -> Progress? {
    try await host.read { try $0.openPlayableCopy(of: recording) }.map { _ in .made }
  }

  private func make(_ recording: Recording) async {
    var failure: WebProblem?
    do {
      try Task.checkCancellation()
      try await host.writer().makePlayableCopy(of: recording) { [self] done in
        state.withLock { state in
          // A late report must not outlive the copy.
          if state.progress[recording.id] != nil { state.progress[recording.id] = done }
        }
      }
    } catch {
      failure = WebProblem(error)
    }
    state.withLock { [failure] state in
      state.progress[recording.id] = nil
      state.tasks[recording.id] = nil
      state.failures[recording.id] = failure
    }
  }
}
