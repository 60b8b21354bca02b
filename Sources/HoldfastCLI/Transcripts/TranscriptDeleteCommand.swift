import ArgumentParser
import Holdfast
import HoldfastConsole

struct TranscriptDeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "delete", abstract: "Delete what was said in recordings, and keep the recordings.",
    discussion: "A transcript is not made again unless you ask for this recording.")

  @OptionGroup var recordings: NamedRecordings

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let reader = try common.openLibrary(for: .reading)
    let recordings = try reader.recordings(idPrefixes: recordings.ids)
    if !yes {
      for recording in recordings {
        console.error("\(recording.id.short)  \(recording.displayTitle.escapedForDisplay)")
      }
      let what = recordings.count == 1 ? "its transcript" : "these \(recordings.count) transcripts"
      try Question("Delete \(what) for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try common.openLibrary(for: .writing)
    try console.deleting(recordings, from: library, name: { "the words of \($0.displayTitle)" }) {
      try library.deleteTranscript(of: $0.id)
      return []
    }
  }
}
