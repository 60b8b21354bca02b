import ArgumentParser
import Holdfast
import HoldfastConsole

/// Prints how a transcription goes on: a line for each recording, and never its words.
struct TranscriptionPrinter {
  private let console: Console
  /// Whether the program runs only when the computer has nothing else to do.
  private let isIdle: Bool

  init(_ console: Console, isIdle: Bool = true) {
    self.console = console
    self.isIdle = isIdle
  }

  /// Shows a run to its end.
  ///
  /// - Throws: `ExitCode` if it was interrupted, or a recording failed; and the error that ended
  ///   the run.
  func show(_ run: LibraryRun<TranscriptionEvent>) async throws {
    var summary = Summary()
    var planned = 0
    try await RunLines(console).forEachEvent(of: run) { event, lines in
      switch event {
      case .planned(let count):
        planned = count
        guard count > 0, console.drawsProgress else { break }
        // The first result may take minutes.
        let when = isIdle ? " when the computer has nothing else to do; --now does not wait" : ""
        console.noteAboveProgress("Transcribing \(count.counted("recording"))\(when).")
        lines.progress(0, of: count)
      case .progress(let count): lines.progress(count, of: planned)
      case .made(let transcript):
        let hasWords = transcript.state == .words
        hasWords ? (summary.transcribed += 1) : (summary.silent += 1)
        try lines.show(
          Line(
            hasWords ? "transcribed" : "silent", id: transcript.id, language: transcript.language),
          hasWords
            ? "\(console.colored("transcribed", .green))  \(transcript.id.short)"
            : "no words     \(transcript.id.short)")
      case .skipped(let id, let error):
        summary.skipped += 1
        try lines.show(
          Line("skipped", id: id, error: error), "skipped      \(error.explained)")
      case .failed(let id, let error):
        summary.failed += 1
        try lines.show(
          Line("failed", id: id, error: error),
          "\(console.colored("failed", .red))       \(id.short): \(error.explained)", isError: true)
      }
    }
    if console.isJSON { try console.json(summary) } else { console.result(summary.sentence) }
    if summary.failed > 0 { throw ExitCode.someFailed }
  }

  private struct Line: Encodable {
    var event: String
    var id: RecordingID
    var language: String?
    var code: String?
    var error: String?

    init(
      _ event: String, id: RecordingID, language: String? = nil, error: HoldfastError? = nil
    ) {
      self.event = event
      self.id = id
      self.language = language
      code = error?.code.rawValue
      self.error = error?.explained
    }
  }

  private struct Summary: Encodable {
    var event = "summary"
    var transcribed = 0
    var silent = 0
    var skipped = 0
    var failed = 0

    var sentence: String {
      if transcribed + silent + skipped + failed == 0 { return "Nothing is left to transcribe." }
      var parts = ["\(transcribed) transcribed"]
      if silent > 0 { parts.append("\(silent) without words") }
      if skipped > 0 { parts.append("\(skipped) skipped") }
      if failed > 0 { parts.append("\(failed) failed") }
      return parts.joined(separator: ", ") + "."
    }
  }
}
