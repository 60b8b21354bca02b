import Foundation
import HoldfastTestSupport
import Testing

extension CommandResult {
  /// Whether the command ended by itself, with a status that the help documents.
  var hasDocumentedStatus: Bool { [0, 1, 3, 4, 64, 130].contains(status) }

  /// Parts of the output that control a terminal or mislead a reader.
  var activeScalars: [String] {
    (output + errorOutput).unicodeScalars.filter { scalar in
      switch scalar.value {
      case 0x0A: false
      case 0..<0x20, 0x7F..<0xA0: true
      case 0x061C, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF: true
      default: false
      }
    }.map { String($0.value, radix: 16) }
  }

  /// Expects that the output is text, safe for a terminal.
  func expectHarmless(_ what: String, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(hasDocumentedStatus, "\(what): \(status)", sourceLocation: sourceLocation)
    #expect(activeScalars.isEmpty, "\(what)", sourceLocation: sourceLocation)
    #expect(
      String(validating: outputBytes, as: UTF8.self) != nil, "\(what)",
      sourceLocation: sourceLocation)
  }
}

/// A folder outside of the library, in which nothing may be touched.
struct Outside {
  let folder: String
  /// A recording in the folder.
  let file: String

  init(_ name: String = "outside", holding fixture: String = "portrait.mov") throws {
    folder = try makeFolder(name)
    file = try copyFixture(fixture, to: "\(name)/victim.mov")
  }

  /// Runs a command, and expects that it opened and changed nothing in the folder.
  @discardableResult
  func expectUntouched(
    by arguments: [String], _ environment: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> CommandResult {
    let before = try await Find.snapshot(folder)
    let command = try environment + [Command.holdfast] + arguments
    let trace = try await Strace.run(
      ["trace=%file"], Array(command.dropFirst()), program: command[0])
    // strace names the file behind each descriptor that a call returns.
    for call in trace.calls where call.contains(" = ") {
      let answer = call.split(separator: " = ").last ?? ""
      #expect(!answer.contains("<\(folder)/"), "\(call)", sourceLocation: sourceLocation)
      #expect(!answer.contains("</etc/passwd"), "\(call)", sourceLocation: sourceLocation)
      // Only calls that remove or rename: merely following a link does no harm.
      let unlinks = call.hasPrefix("unlink") || call.hasPrefix("rename")
      #expect(
        !(unlinks && call.contains("\"\(folder)")), "\(call)", sourceLocation: sourceLocation)
    }
    #expect(try await Find.snapshot(folder) == before, sourceLocation: sourceLocation)
    trace.result.expectHarmless("\(arguments)", sourceLocation: sourceLocation)
    return trace.result
  }
}
