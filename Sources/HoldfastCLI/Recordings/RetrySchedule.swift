import Foundation
import Holdfast

/// When a watch retries files that could not be imported, and what was reported about them.
struct RetrySchedule {
  static let first = Duration.seconds(60)
  private static let longest = Duration.seconds(3600)

  private(set) var reported = ReportedErrors()
  private var next = first
  /// When the files that wait now are tried.
  private var due = ContinuousClock.now

  /// Records the answer of a batch.
  ///
  /// - Returns: The files that have to be tried again, and those that were gone when their turn
  ///   came.
  mutating func record(
    _ answer: Data, about files: [WatchedFile]
  ) -> (failed: [WatchedFile], gone: [WatchedFile]) {
    for file in files { reported.files[file.displayPath] = nil }
    guard let answer = try? JSONDecoder().decode(WatchBatch.Answer.self, from: answer) else {
      // A process that has ended before its time has answered nothing.
      return (files, [])
    }
    reported.library = answer.library
    for (index, failure) in answer.failures { reported.files[files[index].displayPath] = failure }
    let failed = answer.library == nil ? answer.failures.keys.sorted().map { files[$0] } : files
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

/// What was last reported about each file, by its path, and about the library.
struct ReportedErrors: Codable, Sendable {
  var files: [String: String] = [:]
  var library: String?
}
