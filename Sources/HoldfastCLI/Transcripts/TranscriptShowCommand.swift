import ArgumentParser
import Holdfast
import HoldfastConsole

struct TranscriptShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show what was said in a recording, with the times.")

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String

  @Flag(help: "Print the text alone.")
  var plain = false

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let recording = try library.recording(idPrefix: id)
    guard let transcript = try library.transcript(of: recording.id) else {
      throw HoldfastError.noTranscript(recording.id)
    }
    if console.isJSON { return try console.json(transcript) }
    if !plain, let remark = transcript.remark { console.note(remark) }
    for segment in transcript.segments {
      let text = segment.text.escapedForDisplay
      console.result(plain ? text : "\(TranscriptLines.clock(segment.startTime))  \(text)")
    }
  }
}
