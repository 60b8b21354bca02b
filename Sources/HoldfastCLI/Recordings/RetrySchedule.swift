import Foundation
import Holdfast

/// When a watch retries files that could not be imported, and what was reported about them.
struct RetrySchedule {
  private static let first = Duration.seconds(60)
  private static let longest = Duration.seconds(3600)

  private(set) var reported = ReportedErrors()
  /// Whether the last batch could not use the library, or found its disk full.
  private(set) var isBlocked = false
  private var next = first
  /// When the files that wait now are tried.
  private var due = ContinuousClock.now

  /// Records the answer of a batch.
  ///
  /// - Returns: The files that have to be tried again, and how long to wait before.
  mutating func record(
    _ answer: Data, about files: [WatchedFile]
  ) -> [(file: WatchedFile, delay: Duration)] {
    for file in files { reported.files[file.displayPath] = nil }
    guard let answer = try? JSONDecoder().decode(WatchBatch.Answer.self, from: answer) else {
      // One file may be why the import was killed. Next time it takes fewer others with it.
      let delay = delay()
      return files.enumerated().map { ($1, delay + .seconds($0)) }
    }
    reported.library = answer.library
    for (index, failure) in answer.failures { reported.files[files[index].displayPath] = failure }
    let failed = answer.library == nil ? answer.failures.keys.sorted().map { files[$0] } : files
    isBlocked = answer.library != nil || answer.isFull
    let gone = answer.gone.map { (file: files[$0], delay: Self.first) }
    if failed.isEmpty {
      (next, due) = (Self.first, .now)
      return gone
    }
    let delay = delay()
    return failed.map { ($0, delay) } + gone
  }

  /// How long to wait now: as long as the others that wait, or twice as long as the last time.
  private mutating func delay() -> Duration {
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
