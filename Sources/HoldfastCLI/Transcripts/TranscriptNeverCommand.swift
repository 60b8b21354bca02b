import ArgumentParser
import Holdfast
import HoldfastConsole

struct TranscriptNeverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "never",
    abstract: "Keep recordings from ever being transcribed, and delete what was transcribed.",
    discussion: "Asks first if a recording has a transcript.")

  @OptionGroup var recordings: NamedRecordings

  @Flag(help: "Do not ask.")
  var yes = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    for recording in try common.forbidTranscripts(of: recordings.ids, asks: !yes) {
      let transcript = try common.openLibrary(for: .reading).transcript(of: recording.id)
      try common.console.changed(recording, transcript)
    }
  }
}

extension CommonOptions {
  /// Keeps recordings from ever being transcribed. Asks first if there are words to delete.
  func forbidTranscripts(of ids: [String], asks: Bool) throws -> [Recording] {
    let reader = try openLibrary(for: .reading)
    let recordings = try reader.recordings(idPrefixes: ids)
    let transcribed = try recordings.filter { try reader.transcript(of: $0.id)?.state == .words }
    if asks, !transcribed.isEmpty {
      for recording in transcribed {
        console.error("\(recording.id.short)  \(recording.displayTitle.escapedForDisplay)")
      }
      let what =
        transcribed.count == 1 ? "its transcript" : "these \(transcribed.count) transcripts"
      try Question("Delete \(what) for good? [y/N] ", instead: "--yes").confirm()
    }
    let library = try openLibrary(for: .writing)
    for recording in recordings { try library.forbidTranscript(of: recording.id) }
    return recordings
  }
}

struct TranscriptAllowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "allow",
    abstract: "Let recordings be transcribed again that were kept from it.")

  @OptionGroup var recordings: NamedRecordings
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing)
    for recording in try library.recordings(idPrefixes: recordings.ids) {
      try library.allowTranscript(of: recording.id)
      try common.console.changed(recording, library.transcript(of: recording.id))
    }
  }
}

extension Console {
  /// Prints that a recording's transcript was changed, and as JSON the transcript, if there is one.
  func changed(_ recording: Recording, _ transcript: Transcript?) throws {
    guard !isJSON else {
      if let transcript { try json(transcript) }
      return
    }
    result(
      "\(colored("changed", .green))  \(recording.id.short)  "
        + recording.displayTitle.escapedForDisplay)
  }
}
