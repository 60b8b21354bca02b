import ArgumentParser
import Holdfast
import HoldfastConsole

struct TranscriptNeverCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "never",
    abstract: "Keep recordings from ever being transcribed, and delete what was transcribed.")

  @OptionGroup var recordings: NamedRecordings
  @OptionGroup var common: CommonOptions

  func run() throws {
    let library = try common.openLibrary(for: .writing)
    for recording in try library.recordings(idPrefixes: recordings.ids) {
      try library.forbidTranscript(of: recording.id)
      try common.console.changed(recording, library.transcript(of: recording.id))
    }
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
