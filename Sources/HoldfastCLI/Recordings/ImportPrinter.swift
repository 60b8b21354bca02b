import Holdfast
import HoldfastConsole

/// Prints an import: a line for each source, the progress below them on a terminal, and a summary.
struct ImportPrinter {
  /// The summary, in numbers of sources.
  struct Summary: Encodable {
    var event = "summary"
    /// The number that would be imported; only in a dry run.
    var planned: Int?
    var imported = 0
    /// The number of imported sources that were moved; only if that was requested.
    var moved: Int?
    var skipped = 0
    var failed = 0
    var interrupted = 0
  }

  private(set) var summary = Summary()
  private let console: Console
  private let explain: @Sendable (HoldfastError) -> String
  let progress: ProgressArea?
  /// The number of sources found so far. They are numbered from 1.
  private var found = 0
  /// The number of skipped sources with the same content as another source of a dry run. They are
  /// not in the library.
  private var repeated = 0
  private var livePhotos = 0
  private var companions = 0
  /// The number of skipped sources that were known from an earlier import.
  private var seen = 0
  /// The share that is done of each source that is being converted, from 0 to 1.
  private var running: [ImportItem: Double] = [:]

  init(
    _ console: Console, isDryRun: Bool, moves: Bool,
    explaining explain: @escaping @Sendable (HoldfastError) -> String = { $0.explained }
  ) {
    self.console = console
    self.explain = explain
    if moves { summary.moved = 0 }
    if isDryRun { summary.planned = 0 }
    progress = console.drawsProgress ? ProgressArea(console) : nil
  }

  mutating func show(_ event: ImportEvent) throws {
    count(event)
    if console.isJSON {
      if let output = ImportOutput(event, explaining: explain) { try console.json(output) }
      return
    }
    let lines = lines(for: event)
    guard let progress else { return print(lines) }
    let now = self
    let content: ProgressArea.Content = { now.progressLines(on: $0) }
    if lines.isEmpty { progress.show(content) } else { progress.show(content) { print(lines) } }
  }

  /// Clears the terminal, without a summary.
  func close() { progress?.close() }

  mutating func finish(wasInterrupted: Bool) throws {
    if console.isJSON { return try console.json(summary) }
    progress?.close()
    let isNothingNew = summary.imported + planned == 0 && summary.skipped + summary.failed > 0
    let lead = wasInterrupted ? "Interrupted: " : isNothingNew ? "Nothing new: " : ""
    console.result(lead + sentence)
  }

  private var planned: Int { summary.planned ?? 0 }
  private var moved: Int { summary.moved ?? 0 }

  private mutating func count(_ event: ImportEvent) {
    switch event {
    case .discovered(let item): found = max(found, item.number)
    case .converting(let item, let done): running[item] = done
    case .imported(let item, _, _, let source):
      summary.imported += 1
      if source == .moved { summary.moved = moved + 1 }
      end(item)
    case .skipped(let item, let reason):
      switch reason {
      case .dryRun: summary.planned = planned + 1
      case .repetition: repeated += 1
      case .livePhoto: livePhotos += 1
      case .proxy, .unfinished: companions += 1
      case .seen: seen += 1
      case .duplicate: break
      }
      if case .dryRun = reason {} else { summary.skipped += 1 }
      end(item)
    case .failed(let item, _):
      summary.failed += 1
      end(item)
    case .interrupted(let item):
      summary.interrupted += 1
      end(item)
    }
  }

  /// Ends the progress of a source. A source that was refused during discovery was never reported
  /// as found, so it is counted here.
  private mutating func end(_ item: ImportItem) {
    running[item] = nil
    found = max(found, item.number)
  }

  private var sentence: String {
    var parts: [String] = []
    if planned > 0 { parts.append("\(planned) would be imported") }
    if summary.imported > moved { parts.append("\(summary.imported - moved) imported") }
    if moved > 0 { parts.append("\(moved) moved into the library") }
    let known = summary.skipped - repeated - livePhotos - companions - seen
    if known > 0 { parts.append("\(known) already in the library") }
    if repeated > 0 { parts.append("\(repeated) the same as another") }
    if livePhotos > 0 {
      parts.append("\(livePhotos.counted("Live Photo")) skipped")
    }
    if companions > 0 { parts.append("\(companions.counted("companion")) skipped") }
    if seen > 0 { parts.append("\(seen) seen before") }
    if summary.failed > 0 { parts.append("\(summary.failed) refused") }
    if summary.interrupted > 0 { parts.append("\(summary.interrupted) undone") }
    guard !parts.isEmpty else { return "No recordings found." }
    return parts.joined(separator: ", ") + "."
  }

  /// A line for each source that is being converted, as far as there is room, and one for the whole
  /// import.
  private func progressLines(on terminal: TerminalSize) -> [String] {
    let finished =
      summary.imported + summary.skipped + summary.failed + summary.interrupted + planned
    let bars = running.sorted { $0.key.number < $1.key.number }.prefix(max(0, terminal.rows - 2))
      .map { ProgressBar.line($0.value, $0.key.name) }
    return bars + ["[\(finished)/\(found)]"]
  }

  private struct Line {
    var text: String
    var isResult = false
  }

  private func print(_ lines: [Line]) {
    for line in lines {
      if line.isResult { console.result(line.text) } else { console.error(line.text) }
    }
  }

  private func lines(for event: ImportEvent) -> [Line] {
    switch event {
    case .discovered, .converting: return []
    case .imported(let item, let recordings, let warnings, let source):
      let done = source == .moved ? "moved   " : "imported"
      var lines = recordings.map { recording in
        let what = recording.ingestion.conversion.map { " (\($0.plan.explainedSummary))" } ?? ""
        return Line(
          text: "\(console.colored(done, .green))  \(item.displayPath) → "
            + "\(recording.id.short)  \(recording.type.rawValue) "
            + "\(recording.duration.clockDuration)\(recording.ingestion.partWords)\(what)",
          isResult: true)
      }
      if !console.isQuiet { lines += warnings.map { Line(text: "  note: \(item.name): \($0)") } }
      // Printed even if quiet: a user who asked for a move would think that the source is gone.
      if case .stays(let stay) = source {
        lines.append(Line(text: "  kept: \(item.name): \(stay.reason)"))
      }
      return lines
    case .skipped(let item, .dryRun(let plans)):
      return plans.enumerated().map { part, plan in
        let number = plans.count > 1 ? ", part \(part + 1) of \(plans.count)" : ""
        return Line(
          text: "would import  \(item.displayPath)  \(plan.type.rawValue) "
            + "\(plan.duration.clockDuration)\(number) (\(plan.explainedSummary))", isResult: true)
      }
    case .skipped(let item, let reason):
      guard !console.isQuiet, let words = reason.words else { return [] }
      return [
        Line(text: "\(console.colored("skipped", .yellow))   \(item.displayPath): \(words)")
      ]
    case .failed(let item, let failure):
      return [
        Line(
          text: "\(console.colored("refused", .red))   \(item.displayPath): \(explain(failure))")
      ]
    case .interrupted(let item):
      return [Line(text: "undone    \(item.displayPath): interrupted")]
    }
  }
}

extension SkipReason {
  /// Why a source was skipped; `nil` where the user need not know.
  fileprivate var words: String? {
    switch self {
    case .duplicate(let id): "already in the library as \(id.short)"
    case .repetition(let first): "the same as \(first.displayPath)"
    case .livePhoto(let photo):
      "the movie half of the Live Photo \(photo); import it with --companions"
    case .proxy(let original): "a small copy of \(original); import it with --companions"
    case .unfinished: "an unfinished download; import it with --companions"
    // There may be thousands, and the user need not do anything about them.
    case .seen, .dryRun: nil
    }
  }
}

extension Ingestion {
  /// The part of its source that a recording is; empty for the whole source.
  var partWords: String { partCount > 1 ? ", part \(part) of \(partCount)" : "" }
}

extension ConversionPlan {
  var summary: String {
    let streams = [("picture", video), ("sound", audio)].compactMap { name, stream in
      stream.map { "\(name) \($0.isCopied ? "copied" : "encoded")" }
    }
    return streams.joined(separator: ", ") + (isTrimmed ? "; trimmed" : "")
  }

  /// Like ``summary``, with the reason why a stream is encoded.
  var explainedSummary: String {
    let streams = [("picture", video), ("sound", audio)].compactMap { name, stream in
      stream.map { "\(name) " + ($0.encodedBecause.map { "encoded: \($0)" } ?? "copied") }
    }
    let isCopied = [video, audio].compactMap(\.self).allSatisfy(\.isCopied)
    return streams.joined(separator: isCopied ? ", " : "; ") + (isTrimmed ? "; trimmed" : "")
  }
}
