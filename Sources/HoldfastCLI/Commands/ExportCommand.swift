internal import ArgumentParser
internal import Foundation
internal import Glibc
internal import Holdfast
internal import HoldfastModel

/// `holdfast export`
struct ExportCommand: AsyncParsableCommand {
  /// The format of an export.
  enum Format: String, ExpressibleByArgument, CaseIterable {
    case json, csv
  }

  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write down everything that the library remembers, for other programs.",
    discussion: """
      Everything but the media: recordings, cravings, usage and messages. JSON is one document, \
      which import-data reads; CSV is a folder with one table of each. What is written is readable \
      by you alone, and replaces nothing.
      """)

  @Option(help: "The form.")
  var format: Format

  @Option(
    help: ArgumentHelp(
      "The new file for JSON, which otherwise goes to standard output; the new or empty folder for "
        + "CSV.", valueName: "path"),
    completion: .file())
  var output: String?

  @OptionGroup var common: CommonOptions

  func validate() throws {
    if format == .csv, output == nil {
      throw ValidationError("Name a folder for the tables: --output FOLDER.")
    }
    if output?.isEmpty == true { throw ValidationError("--output must not be empty.") }
  }

  func run() async throws {
    let console = common.console
    let library = try common.openLibrary(for: .reading)
    guard let output else {
      let counts = try library.exportDocument(Self.writeToStandardOutput)
      return console.note("\(Self.sentence(counts)).")
    }
    let (format, work) = (format, StoppableWork())
    let counts = try await Interruption.handled(by: work.stop) {
      try await work.run {
        format == .json
          ? try library.exportDocument(toFile: output)
          : try library.exportTables(toFolder: output)
      }
    }
    if console.isJSON {
      return try console.json(
        ExportOutput(
          output: output,
          counts: Dictionary(uniqueKeysWithValues: counts.map { ($0.key.rawValue, $0.value) })))
    }
    console.result(
      "\(console.colored("exported", .green))  \(output.escapedForDisplay): "
        + Self.sentence(counts))
  }

  private static func writeToStandardOutput(_ data: Data) throws {
    do { try FileHandle.standardOutput.write(contentsOf: data) } catch {
      let cause = (error as NSError).userInfo[NSUnderlyingErrorKey] as? NSError
      // The reader has closed the pipe, so it needs no message.
      if cause?.code == Int(EPIPE) { throw ExitCode.failure }
      let word = cause.map { unsafe String(cString: strerror(Int32(truncatingIfNeeded: $0.code))) }
      throw OutputFailure(description: "standard output: could not write: \(word ?? "\(error)")")
    }
  }

  private static func sentence(_ counts: [RecordKind: Int]) -> String {
    RecordKind.allCases.map { $0.text(counts[$0] ?? 0) }.joined(separator: ", ")
  }
}

/// Why writing to standard output failed. What is written there cannot be undone.
private struct OutputFailure: Error, CustomStringConvertible {
  var description: String
}

/// An export, as a line of JSON.
private struct ExportOutput: Encodable {
  var event = "exported"
  var output: String
  var counts: [String: Int]
}

extension RecordKind {
  /// The number with its noun.
  func text(_ count: Int) -> String {
    // "usage" has no plural.
    "\(count) \(count == 1 && self != .usage ? String(rawValue.dropLast()) : rawValue)"
  }
}
