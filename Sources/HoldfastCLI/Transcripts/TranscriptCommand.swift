import ArgumentParser
import Foundation
import Holdfast
import HoldfastConsole

struct TranscriptCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transcript", abstract: "Show, edit and delete what was said in recordings.",
    subcommands: [
      TranscriptShowCommand.self, TranscriptEditCommand.self, TranscriptDeleteCommand.self,
      TranscriptNeverCommand.self, TranscriptAllowCommand.self, TranscriptTitlesCommand.self,
    ])
}

/// The recordings that a command is about.
struct NamedRecordings: ParsableArguments {
  @Argument(
    help: "The recordings' ids, or at least four characters of the beginning of each.",
    completion: .recording)
  var ids: [String]
}

extension Transcript {
  /// Why words are missing, or who wrote them, in one sentence; `nil` for a person's.
  var remark: String? {
    switch (state, source) {
    case (.silent, .person): "You left it without words."
    case (.silent, _): "No words were heard."
    case (.deleted, _): "You deleted its transcript."
    case (.never, _): "You want no transcript of it."
    case (.allowed, _): "It has no transcript yet."
    case (.words, .person): nil
    case (.words, .phone): "The phone wrote this; words can be wrong."
    case (.words, .program):
      "A computer wrote this\(engine.map { " (\($0))" } ?? ""); "
        + "words can be wrong."
    }
  }

  /// The program and its model, such as `whisper-cli, tiny.en`.
  private var engine: String? {
    let names = [program, model].compactMap(\.self)
    return names.isEmpty ? nil : names.joined(separator: ", ").escapedForDisplay
  }

  /// The transcript in one line, for everything known about a recording.
  var summary: String {
    guard state == .words, let first = segments.first else {
      return remark ?? ""
    }
    let names = [language, source == .person ? "edited" : "by a computer"].compactMap(\.self)
    return "\(names.joined(separator: ", ")): \(first.text.cut(to: 60))"
  }
}
