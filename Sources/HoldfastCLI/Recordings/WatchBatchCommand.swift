import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

/// The complete files that a watch gives to a child, as JSON on standard input.
struct WatchBatch: Codable, Sendable {
  /// Why files could not be imported now, by their indices in the batch.
  struct Answer: Codable, Sendable {
    var failures: [Int: String] = [:]
    var gone: [Int] = []
    /// Why the library could not be used.
    var library: String?
    /// Whether the library's disk was full for a file.
    var isFull = false
  }

  var files: [WatchedFile] = []
  var reported = ReportedErrors()
}

/// Imports one batch of a watch, with the watch's own options, and ends. Without files, it only
/// checks that the library can be written.
struct WatchBatchCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch-batch", abstract: "Import the files that a watch names.",
    shouldDisplay: false)

  @OptionGroup var watch: WatchOptions

  private var console: Console { watch.common.console }

  func run() async throws {
    guard HeldSignals.canAnswer, let input = try FileHandle.standardInput.readToEnd(),
      let batch = try? JSONDecoder().decode(WatchBatch.self, from: input)
    else {
      // A user started it.
      throw CommandFailure(
        "holdfast watch starts this command for each batch of files; start holdfast watch itself")
    }
    guard !batch.files.isEmpty else {
      do {
        _ = try watch.common.openLibrary(for: .writing)
      } catch let error as HoldfastError
        where error.mayPass && ![.noLibrary, .notPermitted].contains(error.code)
      {
        // Until then, the files wait.
        _ = try watch.common.openLibrary(for: .reading)
      }
      return
    }
    var answer = WatchBatch.Answer()
    do {
      for (files, options) in groups(of: batch.files) {
        try await importFiles(files, with: options, batch.reported, into: &answer)
      }
    } catch let error as HoldfastError {
      guard error.mayPass else { throw error }
      answer.library = error.description
      if batch.reported.library != error.description {
        console.error(
          "\(error.explained) (\(batch.files.count.counted("file")) will be tried again)")
      }
    }
    HeldSignals.answer(try JSONEncoder().encode(answer))
  }

  /// The files in groups with the same options. Where Syncthing shares a folder, nothing is removed
  /// unless that was asked for.
  private func groups(
    of files: [WatchedFile]
  ) -> [(files: [(index: Int, file: WatchedFile)], options: ImportOptions)] {
    let options = watch.how.options(remembersSources: true)
    let all = Array(files.enumerated()).map { (index: $0.offset, file: $0.element) }
    guard options.movesSources, !watch.deleteOnPhone else { return [(all, options)] }
    var copying = options
    copying.movesSources = false
    return [
      (all.filter { !$0.file.isSynced }, options), (all.filter { $0.file.isSynced }, copying),
    ]
  }

  private func importFiles(
    _ files: [(index: Int, file: WatchedFile)], with options: ImportOptions,
    _ reported: ReportedErrors, into answer: inout WatchBatch.Answer
  ) async throws {
    if files.isEmpty { return }
    answer = try await watch.engine.withEngine { [answer] engine in
      var answer = answer
      let library = try watch.common.openLibrary(for: .writing, engine: engine)
      let run = try library.importRecordings(watched: files.map(\.file), options: options)
      var printer = ImportPrinter(console, isDryRun: false, moves: options.movesSources) {
        $0.mayPass ? "\($0); it will be tried again" : $0.explained
      }
      var imported: [RecordingID] = []
      let wasInterrupted = try await run.forEachEvent(below: printer.progress) { event in
        imported += event.recordings.map(\.id)
        if case .failed(let item, let error) = event {
          let named = files.first { $0.file == item.watchedFile }
          if item.isGone, !error.isRefusal {
            // It was named by its new name, if it has one. But something may be mounted over it.
            if let named { answer.gone.append(named.index) }
            return
          }
          if error.mayPass, let (index, file) = named {
            if [.noSpace, .full].contains(error.code) { answer.isFull = true }
            answer.failures[index] = error.description
            if reported.files[file.displayPath] == error.description { return }
          }
        }
        try printer.show(event)
      }
      printer.close()
      if !wasInterrupted { try await watch.transcribe(imported, in: library) }
      return answer
    }
  }
}
