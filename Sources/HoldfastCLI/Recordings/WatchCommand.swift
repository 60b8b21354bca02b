import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Import recordings as they come into folders.",
    discussion: """
      It begins with the recordings that are in the folders, and then imports each file that \
      Syncthing, KDE Connect, a card or a person puts there, as soon as it is complete. A file \
      that was imported or refused is skipped until it changes or moves, also after a restart. \
      Ctrl-C ends the watch.
      """)

  @OptionGroup var watch: WatchOptions

  /// Each batch of files is imported by a process of its own, which opens the library and ends. So
  /// the watch holds nothing while it waits, and the library's disk can be unmounted. Nor does it
  /// use Swift's concurrency or Dispatch, which keep a timer that wakes a process each second.
  func run() throws {
    if watch.how.move, !watch.deleteOnPhone {
      for folder in watch.folders {
        guard let synced = SourceWatch.syncedFolder(of: folder) else { continue }
        throw CommandFailure(
          "Syncthing shares \(synced), so --move would also delete the recordings on the phone; "
            + "leave --move out, or add --delete-on-phone if that is what you want")
      }
    }
    let signals = try HeldSignals()
    // A user without a library should read that now.
    try Self.check(try run(WatchBatch(), signals, of: nil))
    if signals.hasCome { return }
    let source = try SourceWatch(watch.folders, until: signals.descriptor)
    let console = watch.common.console
    console.note(
      "Watching \(watch.folders.map(\.escapedForDisplay).joined(separator: ", ")) until Ctrl-C.")
    var retries = RetrySchedule()
    while let change = try source.next() {
      switch change {
      case .complete(let files):
        let batch = WatchBatch(files: files, reported: retries.reported)
        let result = try run(batch, signals, of: source)
        if signals.hasCome { return }
        try Self.check(result)
        if result.status < 0 {
          console.error("The import was killed. Its files will be tried again.")
        }
        let wasBlocked = retries.isBlocked
        let waiting = retries.record(result.answer, about: files)
        if wasBlocked, !retries.isBlocked { source.retryAll() }
        for (file, delay) in waiting { source.retry(file, after: delay) }
      case .gone(let folder):
        console.note("\(folder) is gone. It is watched again when it is back.")
      case .back(let folder): console.note("\(folder) is back.")
      case .unreadable(let error): console.error(error.explained)
      }
    }
  }

  /// Runs a batch with the options of this command.
  private func run(
    _ batch: WatchBatch, _ signals: HeldSignals, of source: SourceWatch?
  ) throws -> ChildResult {
    do {
      return try signals.runChild(
        [WatchBatchCommand._commandName] + CommandLine.arguments.dropFirst(2),
        input: JSONEncoder().encode(batch), watching: source?.descriptor ?? -1
      ) { try source?.applyEvents() }
    } catch let error as POSIXError where [.EAGAIN, .ENOMEM].contains(error.code) {
      // The system had no process or memory to spare.
      return (-1, Data())
    }
  }

  /// Ends the watch if a child could not do anything, and has reported that. A child that has
  /// answered may only have been unable to print.
  private static func check(_ result: ChildResult) throws {
    if result.status > 0, result.answer.isEmpty { throw ExitCode(result.status) }
  }
}

/// The options of a watch and of its batches.
struct WatchOptions: ParsableArguments {
  @Argument(help: "Folders.", completion: .directory)
  var folders: [String]

  @OptionGroup var how: ImportChoices

  @Flag(help: "Then transcribe the new recordings, as the last holdfast transcribe did.")
  var transcribe = false

  @Flag(
    help: """
      With --move, remove sources also where Syncthing shares the folder. They are then removed \
      from the phone too.
      """)
  var deleteOnPhone = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if folders.isEmpty { throw ValidationError("Name the folders to watch.") }
    if deleteOnPhone, !how.move { throw ValidationError("--delete-on-phone needs --move.") }
  }

  /// Transcribes what a batch has imported. A failure is reported, and does not end the watch.
  func transcribe(_ ids: [RecordingID], in library: Library) async throws {
    guard transcribe, !ids.isEmpty else { return }
    do {
      let options = TranscriptionOptions(new: ids)
      try await TranscriptionPrinter(common.console).show(
        library.transcribe(with: TranscriberOptions.remembered(), options: options))
    } catch is ExitCode {
      // Reported, or interrupted.
    } catch {
      common.console.error("\((error as? HoldfastError)?.explained ?? "\(error)")")
    }
  }
}
