import Foundation
import Holdfast

/// When a watch retries files that could not be imported, and what was reported about them.
struct TryingAgain {
  /// What was last reported about each file, by its path, and about the library.
  struct Said: Sendable {
    var files: [String: String] = [:]
    var whole: String?
  }

  static let first = Duration.seconds(60)
  private static let longest = Duration.seconds(3600)

  private(set) var said = Said()
  private var next = first
  /// When the files that wait now are tried.
  private var due = ContinuousClock.now

  /// Notes what a batch has answered.
  ///
  /// - Returns: The files that have to be tried again, and those that were gone when their turn came.
  mutating func note(
    _ answer: Data, about files: [WatchedFile]
  ) -> (failed: [WatchedFile], gone: [WatchedFile]) {
    for file in files { said.files[file.displayPath] = nil }
    guard let answer = try? JSONDecoder().decode(WatchBatch.Answer.self, from: answer) else {
      // A process that has ended before its time has answered nothing.
      return (files, [])
    }
    said.whole = answer.whole
    for (index, failure) in answer.failures { said.files[files[index].displayPath] = failure }
    let failed = answer.whole == nil ? answer.failures.keys.sorted().map { files[$0] } : files
    if failed.isEmpty {
      next = Self.first
      due = .now
    }
    return (failed, answer.gone.map { files[$0] })
  }

  /// How long to wait now: as long as the others that wait, or twice as long as the last time.
  mutating func delay() -> Duration {
    let now = ContinuousClock.now
    if now >= due {
      due = now + next
      next = min(next * 2, Self.longest)
    }
    return due - now
  }
}
