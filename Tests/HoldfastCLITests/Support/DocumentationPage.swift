import Foundation
import HoldfastTestSupport
import Testing

/// A Markdown page of the repository: its examples, links and headings.
struct DocumentationPage: Sendable, CustomTestStringConvertible {
  /// The test's steps on a page, from top to bottom.
  enum Step: Sendable {
    /// Lines between `<!-- setup` and `-->`: a script that prepares the next examples.
    case setup(line: Int, script: String)
    /// One command of a console block, and the output below it. A line that ends with a backslash
    /// continues on the next.
    case command(line: Int, text: String, output: [String])
  }

  /// The path in the repository.
  let name: String
  let text: String

  var testDescription: String { name }

  init(_ name: String) throws {
    self.name = name
    text = try String(contentsOfFile: "\(Repository.root)/\(name)", encoding: .utf8)
  }

  /// README.md, CHANGELOG.md and the pages below `docs/`.
  static func all() throws -> [DocumentationPage] {
    let docs = try FileManager.default.subpathsOfDirectory(atPath: Repository.root + "/docs")
      .filter { $0.hasSuffix(".md") }.sorted().map { "docs/" + $0 }
    return try (["README.md", "CHANGELOG.md"] + docs).map(DocumentationPage.init)
  }

  private var lines: [String] {
    text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  /// The setups and commands, in the order of the page.
  var steps: [Step] {
    var steps: [Step] = []
    var end: String?
    var setup: [String] = []
    var isInCommand = false
    for (index, line) in lines.enumerated() {
      switch (end, line) {
      case (nil, "```console"), (nil, "<!-- setup"):
        end = line == "```console" ? "```" : "-->"
        setup = []
        isInCommand = false
      case (let open?, line) where open == line:
        if line == "-->" {
          steps.append(.setup(line: index, script: setup.joined(separator: "\n")))
        }
        end = nil
      case ("-->", _):
        setup.append(line)
      case ("```", _) where line.hasPrefix("$ "):
        steps.append(.command(line: index + 1, text: String(line.dropFirst(2)), output: []))
        isInCommand = true
      case ("```", _):
        if isInCommand, case .command(let number, let text, let output)? = steps.popLast() {
          let continues = output.isEmpty && text.hasSuffix("\\")
          steps.append(
            continues
              ? .command(line: number, text: text + "\n" + line, output: [])
              : .command(line: number, text: text, output: output + [line]))
        } else {
          // No command prints this, so a missing command shows.
          steps.append(.command(line: index + 1, text: ":", output: [line]))
        }
      default: break
      }
    }
    return steps
  }

  /// How many console blocks there are.
  var consoleBlocks: Int { lines.count { $0 == "```console" } }

  /// The text of the first code block in a language.
  func code(_ language: String) -> String? {
    guard let start = text.range(of: "```\(language)\n") else { return nil }
    return text[start.upperBound...].range(of: "```").map {
      String(text[start.upperBound..<$0.lowerBound])
    }
  }

  /// The page without its code blocks.
  private var prose: [String] {
    var isCode = false
    return lines.filter { line in
      if line.hasPrefix("```") { isCode.toggle() }
      return !isCode && !line.hasPrefix("```")
    }
  }

  /// The targets of its links and pictures, without other sites.
  var links: [String] {
    prose.flatMap { line in
      line.matches(of: #/\]\(([^)\s]+)\)|(?:src|href)="([^"]+)"/#).compactMap { match in
        (match.1 ?? match.2).map(String.init)
      }
    }.filter { !$0.contains("://") }
  }

  /// The possible anchors of links: each heading in lower case, with hyphens for blanks and without
  /// other punctuation, as GitHub makes it.
  var anchors: Set<String> {
    Set(
      prose.compactMap { $0.wholeMatch(of: #/#+ (.*)/#)?.1 }.map { heading in
        String(
          heading.lowercased().replacing(" ", with: "-")
            .filter { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
      })
  }
}
