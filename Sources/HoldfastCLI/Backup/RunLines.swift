import ArgumentParser
import Holdfast
import HoldfastConsole
import HoldfastSupport

/// Prints the events of a run: a line for each thing, and the progress on a terminal.
final class RunLines {
  let console: Console
  private let area: ProgressArea?
  private let begin = ContinuousClock.now
  private var content: ProgressArea.Content = { _ in [] }

  init(_ console: Console) {
    self.console = console
    area = console.drawsProgress ? ProgressArea(console) : nil
  }

  /// Reads a run's events until it ends or is interrupted.
  func forEachEvent<Event>(
    of run: LibraryRun<Event>, _ show: (Event, RunLines) throws -> Void
  ) async throws {
    defer { area?.close() }
    do {
      try await run.forEachEvent(below: area) { try show($0, self) }
    } catch is CancellationError {
      console.note("Interrupted.")
      throw ExitCode.interrupted
    }
  }

  func progress(_ done: Int, of total: Int) {
    let line = Pace(done: done, of: total, for: begin.duration(to: .now)).line
    content = { _ in [line] }
    area?.show(content)
  }

  /// Prints an event: as JSON if the user asked for that, else as a line.
  func show(_ output: some Encodable, _ line: String, isError: Bool = false) throws {
    if console.isJSON { return try console.json(output) }
    let (console, line) = (console, line)
    let printLine = { isError ? console.error(line) : console.result(line) }
    if let area { area.show(content, after: printLine) } else { printLine() }
  }
}

extension LibraryRun {
  /// Reads the events until the run ends. An interruption cancels the run.
  ///
  /// - Returns: Whether it was interrupted.
  @discardableResult
  func forEachEvent(
    below progress: ProgressArea?, _ show: (Event) throws -> Void
  ) async throws -> Bool {
    let stop = StopFlag()
    try await Interruption.handled {
      stop.set()
      self.cancel()
      // The next interruption ends the process at once, so clear the terminal now.
      progress?.close()
    } _: {
      for try await event in self { try show(event) }
    }
    return stop.isSet
  }
}
