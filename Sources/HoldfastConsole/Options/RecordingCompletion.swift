package import ArgumentParser
import Holdfast

extension CompletionKind {
  /// The ids of the library's recordings, newest first, with their titles in shells that show such
  /// words.
  package static var recording: CompletionKind {
    .custom { words, _, prefix in RecordingCompletion.candidates(for: prefix, words) }
  }
}

private enum RecordingCompletion {
  /// The most recordings that are offered: more than a user reads.
  private static let most = 1000

  static func candidates(for prefix: String, _ words: [String]) -> [String] {
    guard let recordings = try? recordings(words) else { return [] }
    let shell = CompletionShell.requesting
    return recordings.filter { $0.id.short.hasPrefix(prefix.uppercased()) }.map {
      let title = $0.displayTitle.escapedForDisplay
      return switch shell {
      case .zsh: "\($0.id.short):\(title)"
      case .fish: "\($0.id.short)\t\(title)"
      default: $0.id.short
      }
    }
  }

  /// The recordings of the library that the words before the cursor name.
  private static func recordings(_ words: [String]) throws -> [Recording] {
    var option: [String] = []
    if let index = words.lastIndex(of: "--library"), index + 1 < words.count {
      option = ["--library", words[index + 1]]
    } else if let word = words.last(where: { $0.hasPrefix("--library=") }) {
      option = [word]
    }
    // A user who completes a word does not wait.
    let common = try CommonOptions.parse(option + ["--quiet", "--lock-timeout", "0"])
    return try common.openLibrary(for: .reading).recordings(matching: RecordingQuery(limit: most))
  }
}
