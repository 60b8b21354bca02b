import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct ShowCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show everything known about a recording.",
    discussion: "Loudness (EBU R 128) is measured the first time, and then remembered.")

  @Argument(
    help: "The recording's id, or at least four characters of its beginning.",
    completion: .recording)
  var id: String

  @Flag(
    name: .customLong("private"),
    help: "Show private records of journals that are linked to it as well.")
  var includesPrivate = false

  @OptionGroup var engine: EngineOptions
  @OptionGroup var common: CommonOptions

  func run() async throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    let recording = try library.recording(idPrefix: id)
    if console.isJSON {
      // If the file cannot be measured, everything else is still known.
      let sound = try? await common.sound(of: recording, in: library, with: engine)
      return try console.json(
        RecordingDetails(
          recording, files: library.fileState(of: recording.id),
          thumbnail: library.thumbnail(of: recording.id), sound: sound,
          links: library.links(to: recording.id, includingPrivate: includesPrivate)))
    }
    let links = try library.links(
      to: recording.id, limit: Self.mostLinks, includingPrivate: includesPrivate)
    console.details(
      try Self.lines(of: recording, in: library) + links.flatMap { Self.lines(of: $0, recording) })
    // Last, because it may have to be measured first.
    do {
      let sound = try await common.sound(of: recording, in: library, with: engine)
      if let words = sound.words { console.details([("loudness", words)]) }
    } catch {
      console.details([("loudness", "not measured: \(HoldfastError.explained(error))")])
    }
  }

  private static let mostLinks = 20

  private static func lines(
    of links: LinkedRecords, _ recording: Recording
  ) -> [(name: String, value: String)] {
    var lines = links.records.enumerated().map { number, record in
      (name: number == 0 ? links.role : "", value: "\(record.id.shortText)  \(record.linkedLine)")
    }
    if links.isMore {
      let id = recording.id.short
      lines.append(("", "and more: holdfast \(links.kind.command("list")) --recording \(id)"))
    }
    return lines
  }

  private static func lines(of state: RecordingFileState) -> [(name: String, value: String)] {
    let fault = state.fault.map { "\($0.rawValue), known since " }
    return [
      fault.map { ("fault", $0 + (state.faultySince?.localText ?? "")) },
      ("verified", state.verifiedAt?.localText ?? "not since its import"),
    ].compactMap(\.self)
  }

  private static func lines(of recording: Recording, in library: Library) throws -> [(
    name: String, value: String
  )] {
    let ingestion = recording.ingestion
    var lines = [
      ("title", recording.displayTitle.escapedForDisplay), ("id", recording.id.uuidString),
      ("type", recording.type.rawValue), ("purpose", recording.purpose.rawValue),
      ("length", "\(recording.duration.thousandths) s"),
      ("recorded", recording.recorded.explained),
      ("file", "\(library.path)/\(recording.filePath)".escapedForDisplay),
    ]
    if let thumbnail = recording.thumbnailPath {
      lines.append(("thumbnail", "\(library.path)/\(thumbnail)".escapedForDisplay))
      if let record = try library.thumbnail(of: recording.id) {
        lines.append(
          ("", "\(record.choice.words), score \(record.choice.score.hundredths)"))
      }
    }
    if let width = ingestion.width, let height = ingestion.height {
      lines.append(("picture", "\(width) × \(height)"))
    }
    let codecs = [ingestion.codecs.video, ingestion.codecs.audio].compactMap(\.self)
    if !codecs.isEmpty { lines.append(("codecs", codecs.joined(separator: ", "))) }
    lines.append(("size", "\(ingestion.fileSize) bytes"))
    lines.append(("sha256", ingestion.fileSHA256.hexadecimal))
    let source = recording.isRebuilt ? "rebuilt from its file" : ingestion.originalFilename
    lines.append(("source", source.escapedForDisplay))
    if ingestion.partCount > 1 {
      lines.append(("part", "\(ingestion.part) of \(ingestion.partCount)"))
    }
    let last = recording.lastPlayedAt.map { ", last \($0.localText)" } ?? ""
    lines.append(("played", "\(recording.playCount.counted("time"))\(last)"))
    lines += Self.lines(of: try library.fileState(of: recording.id))
    if let notes = recording.notes { lines.append(("notes", notes)) }
    if let transcript = try library.transcript(of: recording.id) {
      lines.append(("transcript", transcript.summary))
    }
    if let conversion = ingestion.conversion { lines += conversion.lines }
    return lines
  }
}
