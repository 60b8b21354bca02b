import Foundation
import Holdfast
import HoldfastConsole

/// What a watch does with complete files, in a process of its own.
///
/// The library is opened for them, and closed again. So the watch holds nothing while it waits, and the
/// library's disk can be unmounted.
struct WatchBatch: Sendable {
  /// What the watch learns: why files could not be imported now, by their indices in the batch.
  struct Answer: Codable {
    var failures: [Int: String] = [:]
    var gone: [Int] = []
    var whole: String?
  }

  let engine: EngineOptions
  let common: CommonOptions
  let options: ImportOptions
  let mayMoveSynced: Bool
  private var console: Console { common.console }

  /// Reports whether there is a library.
  func open() async -> (status: CInt, answer: Data) {
    await answering { _ in _ = try common.openLibrary(for: .reading) }
  }

  /// Imports complete files. What was reported about them before is not reported again.
  func take(
    _ files: [WatchedFile], said: TryingAgain.Said
  ) async -> (status: CInt, answer: Data) {
    await answering { answer in
      do {
        for (files, options) in groups(of: files) {
          try await take(files, options, said, &answer)
        }
      } catch let error as LibraryError {
        guard error.mayPass else { throw error }
        answer.whole = error.description
        if said.whole != error.description {
          console.error(
            "\(error.explained) (\(files.count.counted("file")) will be tried again)")
        }
      }
    }
  }

  /// The files in groups with the same options. Where Syncthing shares a folder, nothing is removed unless
  /// that was asked for.
  private func groups(
    of files: [WatchedFile]
  ) -> [(files: [(index: Int, file: WatchedFile)], options: ImportOptions)] {
    let all = Array(files.enumerated()).map { (index: $0.offset, file: $0.element) }
    guard options.movesSources, !mayMoveSynced else { return [(all, options)] }
    var copying = options
    copying.movesSources = false
    return [
      (all.filter { !$0.file.isSynced }, options), (all.filter { $0.file.isSynced }, copying),
    ]
  }

  private func take(
    _ files: [(index: Int, file: WatchedFile)], _ options: ImportOptions, _ said: TryingAgain.Said,
    _ answer: inout Answer
  ) async throws {
    if files.isEmpty { return }
    answer = try await engine.withEngine { [answer] engine in
      var answer = answer
      let library = try common.openLibraryToWrite(engine: engine)
      let run = try library.importRecordings(watched: files.map(\.file), options: options)
      var printer = ImportPrinter(console, isDryRun: false, moves: options.movesSources)
      let progress = printer.progress
      try await Interruption.handled {
        run.cancel()
        progress?.close()
      } _: {
        for try await event in run {
          if case .failed(let item, let error) = event {
            let named = files.first { $0.file == item.watchedFile }
            if item.isGone, !error.isRefusal {
              // Whatever it is called now, it has been named by that name. But something may have been mounted over it.
              if let named { answer.gone.append(named.index) }
              continue
            }
            if error.mayPass, let (index, file) = named {
              answer.failures[index] = error.description
              if said.files[file.displayPath] == error.description { continue }
            }
          }
          try printer.show(event)
        }
      }
      printer.close()
      return answer
    }
  }

  /// Does work, and prints its error, as a command does.
  private func answering(
    _ work: (inout Answer) async throws -> Void
  ) async -> (status: CInt, answer: Data) {
    var answer = Answer()
    do {
      try await work(&answer)
    } catch {
      HoldfastCommand.exit(withError: error)
    }
    return (0, (try? JSONEncoder().encode(answer)) ?? Data())
  }
}
