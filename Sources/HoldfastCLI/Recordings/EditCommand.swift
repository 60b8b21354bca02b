import ArgumentParser
import Holdfast
import HoldfastConsole

struct EditCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Change a recording's title, notes or purpose.",
    discussion: "An empty --title or --notes removes it.")

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String

  @Option(
    parsing: .unconditional,
    help: "Its title; at most \(Recording.longestTitle) characters.")
  var title: String?

  @Option(
    parsing: .unconditional,
    help: "Your notes about it; at most \(Recording.longestNotes) characters.")
  var notes: String?

  @Option(word: "Why it is kept: \(RecordingPurpose.words).", valueName: "purpose")
  var purpose: RecordingPurpose?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if title == nil, notes == nil, purpose == nil {
      throw ValidationError("Name what to change: --title, --notes or --purpose.")
    }
    try validating { try Recording.validate(title: title, notes: notes) }
  }

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .writing)
    let recording = try library.editRecording(id: library.recording(idPrefix: id).id) { recording in
      if let title { recording.title = title }
      if let notes { recording.notes = notes }
      if let purpose { recording.purpose = purpose }
    }
    if console.isJSON { return try console.json(RecordingOutput(recording)) }
    console.result(
      "\(console.colored("changed", .green))  \(recording.id.short)  "
        + recording.displayTitle.escapedForDisplay)
  }
}
