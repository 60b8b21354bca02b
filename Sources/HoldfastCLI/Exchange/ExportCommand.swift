import ArgumentParser
import Foundation
import Glibc
import Holdfast
import HoldfastConsole

struct ExportCommand: AsyncParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, csv, app, vtt, srt
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write everything in the catalog to a file or folder, for other programs.",
    discussion: """
      An export holds recordings, cravings, usage, messages and the records of journals: \
      everything but the media. JSON is one document, which import-data reads. CSV is a folder \
      with one table for each, without the private records of journals unless you give --private. \
      App is a folder with the recordings' files and a document for each app that keeps such \
      records, which import-app reads. Both kinds of document always have private records. VTT and \
      SRT are a folder with captions, one file for each recording in which words were said. Only \
      you can read an export, and it never replaces a file.
      """)

  @Argument(help: "The same as --output.", completion: .file())
  var path: String?

  @Option(help: "The format.")
  var format: Format?

  @Flag(help: "Print the JSON Schema of the JSON document.")
  var schema = false

  @Option(
    help: ArgumentHelp(
      "For JSON, the new file (default: standard output). Otherwise the new or empty folder.",
      valueName: "path"),
    completion: .file())
  var output: String?

  @Flag(name: .customLong("private"), help: "Write private records into the tables as well.")
  var includesPrivate = false

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if schema {
      guard format == nil, target == nil else {
        throw ValidationError("--schema is printed by itself: give no other option.")
      }
      return
    }
    guard format != nil else { throw ValidationError("Give a format: --format json.") }
    if path != nil, output != nil { throw ValidationError("Give either a path or --output.") }
    if format != .json, target == nil {
      throw ValidationError("Name a folder for the export: --output FOLDER.")
    }
    if target?.isEmpty == true { throw ValidationError("--output must not be empty.") }
  }

  private var target: String? { output ?? path }

  func run() async throws {
    let console = common.console
    if schema {
      return try Self.writeToStandardOutput(Library.exportSchema(journals: KnownJournals.all))
    }
    let library = try common.openLibrary(for: .reading)
    guard let output = target else {
      let report = try library.exportDocument(Self.writeToStandardOutput)
      console.note("\(Self.sentence(report.counts)).")
      return try finish(report)
    }
    if let captions = format.flatMap({ Captions.Format(rawValue: $0.rawValue) }) {
      return try await exportCaptions(as: captions, to: output, from: library)
    }
    let (format, includesPrivate, work) = (format, includesPrivate, StoppableWork())
    let report = try await Interruption.handled(by: work.stop) {
      try await work.run {
        switch format {
        case .json: try library.exportDocument(toFile: output)
        case .app: try await library.exportApp(toFolder: output)
        default: try library.exportTables(toFolder: output, includingPrivate: includesPrivate)
        }
      }
    }
    if console.isJSON {
      try console.json(
        ExportOutput(
          output: output,
          counts: Dictionary(
            uniqueKeysWithValues: report.counts.map { ($0.kind.name, $0.count) })))
    } else {
      console.result(
        "\(console.colored("exported", .green))  \(output.escapedForDisplay): "
          + Self.sentence(report.counts))
    }
    try finish(report)
  }

  private func exportCaptions(
    as format: Captions.Format, to output: String, from library: Library
  ) async throws {
    let work = StoppableWork()
    let count = try await Interruption.handled(by: work.stop) {
      try await work.run { try library.exportCaptions(toFolder: output, as: format) }
    }
    let console = common.console
    if console.isJSON {
      return try console.json(ExportOutput(output: output, counts: ["captions": count]))
    }
    console.result(
      "\(console.colored("exported", .green))  \(output.escapedForDisplay): "
        + "captions of \(count.counted("recording"))")
  }

  /// Names the kinds whose records the export lacks in part.
  private func finish(_ report: ExportReport) throws {
    for cut in report.cut {
      common.console.error(
        "Error: only \(cut.read) of \(cut.kind.text(cut.total)) could be exported, because the "
          + "journal was disabled meanwhile")
    }
    for (path, error) in report.missing {
      common.console.error("Error: \(path) was not exported: \(error.explained)")
    }
    for (kind, count) in report.leftOut {
      common.console.note(
        "note: \(kind.text(count)) left out, which no app reads; --format json has them")
    }
    if !report.cut.isEmpty || !report.missing.isEmpty { throw ExitCode.someFailed }
  }

  private static func writeToStandardOutput(_ data: Data) throws {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      // The reader has closed the pipe, so it needs no message.
      if cause?.code == Int(EPIPE) { throw ExitCode.failure }
      let word = cause.map { unsafe String(cString: strerror(Int32(truncatingIfNeeded: $0.code))) }
      throw CommandFailure("standard output: could not write: \(word ?? "\(error)")")
    }
  }

  private static func sentence(_ counts: [(kind: RecordKind, count: Int)]) -> String {
    counts.map { $0.kind.text($0.count) }.joined(separator: ", ")
  }
}

private struct ExportOutput: Encodable {
  var event = "exported"
  var output: String
  var counts: [String: Int]
}
