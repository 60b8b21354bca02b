import Foundation
import HoldfastTestSupport
import Testing

/// The whole help of one command, as `scripts/help-pages` wrote it.
struct HelpPage: Sendable, CustomTestStringConvertible {
  /// The subcommand's words; none for `holdfast` itself.
  var command: [String]
  var text: String

  var testDescription: String { (["holdfast"] + command).joined(separator: " ") }

  /// The subcommands that it names.
  var subcommands: [String] {
    guard let list = text.range(of: "SUBCOMMANDS:\n") else { return [] }
    return text[list.upperBound...].split(separator: "\n")
      .compactMap { $0.prefixMatch(of: #/\s{2}([a-z-]+)\s/#)?.1 }.map(String.init)
  }

  static func all() throws -> [HelpPage] {
    let folder = Repository.root + "/Tests/Help"
    return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
      HelpPage(
        command: name.dropLast(".txt".count).split(separator: " ").dropFirst().map(String.init),
        text: try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8))
    }
  }

  /// The words of the commands that have subcommands.
  static let groups: Set<[String]> = {
    let pages = (try? all()) ?? []
    return Set(pages.filter { !$0.subcommands.isEmpty }.map(\.command))
  }()
}
