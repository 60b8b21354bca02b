import Foundation
import Holdfast
import HoldfastConsole

/// Prints thumbnails as they are made: one line for each, and the progress below them on a
/// terminal.
struct ThumbnailPrinter {
  private(set) var failed = 0
  private var planned = 0
  private var done = 0
  private var made = 0
  private var interrupted = 0
  private let console: Console
  let progress: ProgressArea?
  private let begin = ContinuousClock.now

  init(_ console: Console) {
    self.console = console
    progress = console.drawsProgress ? ProgressArea(console) : nil
  }

  mutating func show(_ event: ThumbnailEvent) throws {
    switch event {
    case .planned(let count): planned = count
    case .progress(let count): done = count
    case .made: made += 1
    case .failed: failed += 1
    case .interrupted: interrupted += 1
    case .gone: break
    }
    if console.isJSON {
      if let line = Line(event) { try console.json(line) }
      return
    }
    let words = words(for: event)
    guard let progress else { return print(words) }
    let pace = Pace(done: done, of: planned, for: begin.duration(to: .now))
    let content: ProgressArea.Content = { _ in [pace.line] }
    if words == nil { progress.show(content) } else { progress.show(content) { print(words) } }
  }

  func finish(wasInterrupted: Bool) throws {
    if console.isJSON {
      return try console.json(Summary(made: made, failed: failed, interrupted: interrupted))
    }
    progress?.close()
    var parts = ["\(made) made"]
    if failed > 0 { parts.append("\(failed) failed") }
    if interrupted > 0 { parts.append("\(interrupted) left as they were") }
    let sentence =
      planned == 0 ? "No thumbnail is missing." : parts.joined(separator: ", ") + "."
    console.result((wasInterrupted ? "Interrupted: " : "") + sentence)
  }

  private func words(for event: ThumbnailEvent) -> (text: String, isResult: Bool)? {
    switch event {
    case .planned, .progress, .interrupted, .gone: return nil
    case .made(let id, _, let report):
      let size = "\(report.size.width) × \(report.size.height)"
      let choice = report.choice.map { "  \($0.words)" } ?? ""
      return (
        "\(console.colored("made", .green))    \(id.short)  \(size)\(choice)", true
      )
    case .failed(let id, let failure):
      return (
        "\(console.colored("failed", .red))  \(id.short): \(failure.explained)",
        false
      )
    }
  }

  private func print(_ words: (text: String, isResult: Bool)?) {
    guard let words else { return }
    if words.isResult { console.result(words.text) } else { console.error(words.text) }
  }

  private struct Line: Encodable {
    var event: String
    var id: RecordingID
    var path: String?
    var width: Int?
    var height: Int?
    var bytes: Int?
    var time: Double?
    var score: Double?
    var reason: String?
    var code: String?
    var error: String?

    /// Makes the line; `nil` for events that only a terminal shows.
    init?(_ event: ThumbnailEvent) {
      switch event {
      case .planned, .progress, .gone: return nil
      case .made(let id, let path, let report):
        self.event = "made"
        self.id = id
        self.path = path.string
        width = report.size.width
        height = report.size.height
        bytes = report.bytes
        time = report.choice?.time
        score = report.choice?.score
        reason = report.choice?.reason.rawValue
      case .failed(let id, let failure):
        self.event = "failed"
        self.id = id
        code = failure.code.rawValue
        error = failure.explained
      case .interrupted(let id):
        self.event = "interrupted"
        self.id = id
      }
    }
  }

  private struct Summary: Encodable {
    var event = "summary"
    var made: Int
    var failed: Int
    var interrupted: Int
  }
}

extension FrameChoice {
  /// The chosen picture, and why, as text.
  var words: String {
    let why =
      switch reason {
      case .usual: "the keyframe at or before 1 s"
      case .dark: "the first is nearly black"
      case .bright: "the first is nearly white"
      case .flat: "the first has one tone only"
      case .blurred: "the first is blurred"
      case .asked: "asked for"
      }
    return "at \(time.nearestThousandth) s (\(why))"
  }
}
