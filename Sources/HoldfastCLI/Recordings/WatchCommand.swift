import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "watch",
    abstract: "Import recordings as they come into folders.",
    discussion: """
      It begins with the recordings that are in the folders, and then imports each that Syncthing, KDE \
      Connect, a card or a person puts there, as soon as the file is complete. What was imported or \
      refused once is left alone until it changes or moves, also after a restart. Ctrl-C ends the watch.
      """)

  @Argument(help: "Folders.", completion: .directory)
  var folders: [String]

  @OptionGroup var how: ImportChoices

  @Flag(
    help:
      "With --move, remove sources also where Syncthing shares the folder. They are then removed from the phone too."
  )
  var deleteOnPhone = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if folders.isEmpty { throw ValidationError("Name the folders to watch.") }
    if deleteOnPhone, !how.move { throw ValidationError("--delete-on-phone needs --move.") }
  }

  func run() throws {
    if how.move, !deleteOnPhone {
      for folder in folders {
        if let synced = SourceWatch.syncedFolder(of: folder) { throw SyncedError(folder: synced) }
      }
    }
    let signals = try HeldSignals()
    let batch = WatchBatch(
      engine: engine, common: common, options: how.options(remembersSources: true),
      mayMoveSynced: deleteOnPhone)
    // A user without a library should read that now.
    try Self.check(try signals.inChild { await batch.open() })
    if signals.hasCome { return }
    let watch = try SourceWatch(folders, until: signals.descriptor)
    let console = common.console
    console.note(
      "Watching \(folders.map(\.escapedForDisplay).joined(separator: ", ")) until Ctrl-C.")
    var again = TryingAgain()
    while let change = try watch.next() {
      switch change {
      case .complete(let files):
        let said = again.said
        let result = try signals.inChild { await batch.take(files, said: said) }
        if signals.hasCome { return }
        try Self.check(result)
        if result.status < 0 {
          console.error("The import was killed. Its files will be tried again.")
        }
        let (failed, gone) = again.note(result.answer, about: files)
        // The library is there again.
        if said.whole != nil, again.said.whole == nil { watch.nameWaitingFiles() }
        if !failed.isEmpty {
          let delay = again.delay()
          // One file may be why an import is killed. Next time it takes fewer others with it.
          let apart = Duration.seconds(result.status < 0 ? 1 : 0)
          for (index, file) in failed.enumerated() {
            watch.nameAgain([file], after: delay + apart * index)
          }
        }
        if !gone.isEmpty { watch.nameAgain(gone, after: TryingAgain.first) }
      case .gone(let folder):
        console.note("\(folder) is gone. It is watched again when it is back.")
      case .back(let folder): console.note("\(folder) is back.")
      case .renamed(let folder, let new): console.note("\(folder) is \(new) now.")
      case .unreadable(let error): console.error(error.explained)
      }
    }
  }

  /// Ends the watch if a child could not do anything, and has reported that.
  private static func check(_ result: (status: CInt, answer: Data)) throws {
    if result.status > 0 { throw ExitCode(result.status) }
  }
}

/// Why sources are not moved out of a folder.
private struct SyncedError: Error, CustomStringConvertible {
  let folder: String

  var description: String {
    "Syncthing shares \(folder), so --move would also delete the recordings on the phone; leave "
      + "--move out, or add --delete-on-phone if that is what you want"
  }
}
