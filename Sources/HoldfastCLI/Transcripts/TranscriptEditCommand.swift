import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct TranscriptEditCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Write down or correct what was said in a recording.",
    discussion: """
      It opens $VISUAL, else $EDITOR, with one line for each sentence, such as "[0:42.310] I \
      stopped.", or with an empty file if nothing was written down yet. A line keeps its time when \
      you change its text. Remove a line to remove the sentence. A line without a time gets one \
      between its neighbours. The file is removed afterwards, but an editor may keep copies of its \
      own.
      """)

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String

  @Option(
    help: ArgumentHelp(
      "Read the lines from this file, or from standard input for -, instead.", valueName: "file"))
  var file: String?

  @OptionGroup var common: CommonOptions

  func run() async throws {
    let reader = try common.openLibrary(for: .reading)
    let recording = try reader.recording(idPrefix: id)
    let before = try reader.transcript(of: recording.id)?.segments ?? []
    if let file {
      let text = file == "-" ? try TextInput.text("-", limit: Self.mostBytes) : try Self.read(file)
      return try save(text, of: recording, over: before)
    }
    guard let editor = PrivateEditor.find(in: ProcessInfo.processInfo.environment) else {
      throw CommandFailure("no editor is set; name one in $EDITOR, or give --file")
    }
    try await editor.edit(TranscriptLines.text(of: before)) { path in
      try save(Self.read(path), of: recording, over: before)
    }
  }

  private func save(
    _ text: String, of recording: Recording, over before: [TranscriptSegment]
  ) throws {
    let console = common.console
    let segments = try TranscriptLines.segments(
      from: text, editing: before, duration: recording.duration)
    guard !segments.isEmpty || before.isEmpty else {
      throw CommandFailure("the text is empty; holdfast transcript delete removes the words")
    }
    guard segments != before else { return console.note("Nothing was changed.") }
    let library = try common.openLibrary(for: .writing)
    let edited = try library.editTranscript(of: recording.id) { transcript in
      guard transcript.segments == before else {
        throw CommandFailure("the transcript was changed meanwhile; edit it again")
      }
      transcript.segments = segments
    }
    try console.changed(recording, edited)
  }

  private static let mostBytes = Transcript.largestText + 32 * Transcript.mostSegments

  private static func read(_ path: String) throws -> String {
    let data = try TextInput.bytes(ofFile: path, atMost: mostBytes)
    guard data.count <= mostBytes else {
      throw RuleError("\(path.escapedForDisplay) has more than \(mostBytes) bytes; shorten it")
    }
    guard let text = String(validating: data, as: UTF8.self) else {
      throw RuleError("\(path.escapedForDisplay) is not text in UTF-8; convert it")
    }
    return text
  }
}
