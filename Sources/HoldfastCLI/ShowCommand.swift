internal import ArgumentParser
internal import Foundation
internal import Holdfast
internal import HoldfastModel

/// `holdfast show`
struct ShowCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything that is known of a recording.")

  @Argument(help: "The recording's id, or at least four characters of its beginning.")
  var id: String

  @OptionGroup var common: CommonOptions

  func run() throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let recording = try library.recording(named: id)
    if console.isJSON { return try console.json(RecordingOutput(recording)) }
    for (name, value) in Self.lines(of: recording, in: library) {
      console.result(
        name + String(repeating: " ", count: max(1, 12 - name.count)) + value.escapedForDisplay)
    }
  }

  private static func lines(of recording: Recording, in library: Library) -> [(String, String)] {
    let ingestion = recording.ingestion
    var lines = [
      ("title", recording.displayTitle), ("id", recording.id.uuidString),
      ("type", recording.type.rawValue), ("purpose", recording.purpose.rawValue),
      ("length", "\((recording.duration * 1000).rounded() / 1000) s"),
      ("recorded", recording.recorded.explained),
      ("file", "\(library.path)/\(recording.filePath)"),
    ]
    if let thumbnail = recording.thumbnailPath {
      lines.append(("thumbnail", "\(library.path)/\(thumbnail)"))
    }
    if let width = ingestion.width, let height = ingestion.height {
      lines.append(("picture", "\(width) × \(height)"))
    }
    lines.append(("size", "\(ingestion.fileSize) bytes"))
    lines.append(("sha256", ingestion.fileSHA256.hexadecimal))
    lines.append(("source", ingestion.originalFilename))
    if ingestion.partCount > 1 {
      lines.append(("part", "\(ingestion.part) of \(ingestion.partCount)"))
    }
    lines.append(("played", "\(recording.playCount) times"))
    if let notes = recording.notes { lines.append(("notes", notes)) }
    if let conversion = ingestion.conversion {
      lines.append(("done", conversion.plan.summary))
      for stream in [conversion.plan.video, conversion.plan.audio] {
        if let reason = stream?.encodedBecause { lines.append(("because", reason)) }
      }
      for setting in conversion.settings { lines.append(("with", setting)) }
      for warning in conversion.warnings { lines.append(("note", warning)) }
    }
    return lines
  }
}
