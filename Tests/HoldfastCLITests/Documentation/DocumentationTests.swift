import Foundation
import HoldfastTestSupport
import Testing

/// Runs the console blocks of README.md and the pages below docs/, and compares the output.
///
/// The commands of a page run in its order, in one home folder. `<!-- setup … -->` in a page is a
/// shell script that prepares the next block; it finds the fixtures in `$FIXTURES`. The player is
/// `true`, and the time zone UTC. Output may differ from a page's only in these ways:
///
/// * ids and UUIDs, as long as each is used consistently on the page,
/// * the home folder, which a page calls `/home/you`,
/// * times of today, which a page writes as `2026-11-23 08:40` (or `2026-11-23-084000`, the name of
///   a folder in quarantine),
/// * sizes in bytes and MB, and loudness, which depend on the versions of the encoders,
/// * "Landlock, ", which the kernel may not have,
/// * the order of adjacent lines that report one file each, because files are processed in
///   parallel,
/// * lines that a single `…` replaces, and blanks at the end of a line.
///
/// When the command's words change, the failures print the new text with the ids of the page: paste
/// it over the old lines, and read the difference.
@Suite("README and docs", .temporaryFolder)
struct DocumentationTests {
  @Test("Every console block prints what the page says", arguments: try DocumentationPage.all())
  func console(page: DocumentationPage) async throws {
    guard page.consoleBlocks > 0 else { return }
    var session = try DocumentedSession()
    for step in page.steps {
      switch step {
      case .setup(let line, let script):
        let (status, output) = try await session.run("set -euo pipefail\n" + script)
        try #require(status == 0, "\(page.name):\(line): \(output.joined(separator: "\n"))")
      case .command(let line, let text, let output):
        let difference = try await session.difference(text, output)
        #expect(difference == nil, "\(page.name):\(line): $ \(text)\n\(difference ?? "")")
      }
    }
  }

  @Test("README has console blocks, a picture, and at most 1,500 words")
  func readme() throws {
    let page = try DocumentationPage("README.md")
    #expect(page.consoleBlocks > 0)
    #expect(page.links.contains("docs/picture.svg"))
    #expect(page.text.split(whereSeparator: \.isWhitespace).count <= 1500)
  }

  @Test("Every link leads to a file, and every anchor to a heading")
  func links() throws {
    for page in try DocumentationPage.all() {
      let folder = URL(filePath: "/" + page.name).deletingLastPathComponent()
      for link in page.links {
        let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let target =
          parts[0].isEmpty
          ? page.name
          : String(folder.appending(path: String(parts[0])).standardized.path.dropFirst())
        #expect(
          FileManager.default.fileExists(atPath: "\(Repository.root)/\(target)"),
          "\(page.name): \(link)")
        guard parts.count == 2, target.hasSuffix(".md") else { continue }
        #expect(
          try DocumentationPage(target).anchors.contains(String(parts[1])),
          "\(page.name): \(link)")
      }
    }
  }

  @Test("`holdfast --version` prints the newest version in CHANGELOG.md, and packages have it")
  func version() async throws {
    let changelog = try DocumentationPage("CHANGELOG.md").text
    let newest = try #require(changelog.firstMatch(of: #/\n## \[([0-9][^\]]*)\] - /#)?.1)
    let result = try await Command.run(Command.holdfast, ["--version"])
    #expect(result.status == 0 && result.output == newest + "\n")
    for (file, text) in [
      ("debian/changelog", "holdfast (\(newest)) "),
      ("packaging/desktop/holdfast.metainfo.xml", "<release version=\"\(newest)\""),
    ] {
      let contents = try String(contentsOfFile: "\(Repository.root)/\(file)", encoding: .utf8)
      #expect(contents.contains(text), "\(file)")
    }
  }

  @Test("README's example of the library is the one that is compiled here, and it imports a folder")
  func example() async throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().path + "/ReadmeExample.swift"
    let source = try String(contentsOfFile: file, encoding: .utf8)
    let code = try #require(source.range(of: "import Holdfast\n"))
    #expect(try DocumentationPage("README.md").code("swift") == String(source[code.lowerBound...]))

    let library = LibraryFolder(at: "library")
    try await importFromPhone(
      makeFolder("DCIM", holding: ["portrait.mov", "voice.ogg"]), into: library.path)
    #expect(try await library.column("SELECT count(*) FROM recording") == ["2"])
    try await library.expectSound()
  }
}

/// A shell in which the commands of one page run, one after the other.
private struct DocumentedSession {
  private let home: String
  private let environment: [String: String]
  /// The ids of the page, and their counterparts in this run.
  private var actualIDs: [String: String] = [:]
  private var documentedIDs: [String: String] = [:]

  init() throws {
    home = try makeFolder("home")
    let bin = try makeFolder("bin")
    try FileManager.default.createSymbolicLink(
      atPath: bin + "/holdfast", withDestinationPath: try Command.holdfast)
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    environment = [
      "HOME": home, "PATH": "\(bin):\(path)", "FIXTURES": Repository.root + "/fixtures",
      "TZ": "UTC", "LC_ALL": "C.UTF-8", "COLUMNS": "80", "STATE": temporary("state"),
      "XDG_DATA_HOME": "", "XDG_CACHE_HOME": "", "XDG_CONFIG_HOME": "", "XDG_STATE_HOME": "",
      "HOLDFAST_LIBRARY": "", "HOLDFAST_PLAYER": "true",
    ]
  }

  /// Runs a script in a new shell, with the variables and the status of the last one.
  func run(_ script: String) async throws -> (status: Int32, output: [String]) {
    let shell = """
      exec 2>&1; cd "$HOME"; [ ! -f "$STATE" ] || . "$STATE"
      trap 'export LAST=$?; export -p >"$STATE"' EXIT
      (exit ${LAST:-0}); eval "$1"
      """
    let result = try await Command.run(
      "bash", ["-c", shell, "bash", script], environment: environment)
    var lines = result.output.split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    return (result.status, lines.map { general(String($0)) })
  }

  /// Runs a command of a page, and returns the text for the page if the output differs.
  mutating func difference(_ command: String, _ documented: [String]) async throws -> String? {
    let output = try await run(Self.replacing(command, by: actualIDs)).output
    let actual = Self.ordered(output)
    let documented = Self.ordered(documented.map(Self.trimmed))
    var pairs: [(documented: String, actual: String)] = []
    if Self.match(documented[...], actual[...], &pairs), bind(pairs) { return nil }
    // Ids that can still be matched serve the page's next commands.
    let text = (documented.joined(separator: "\n"), actual.joined(separator: "\n"))
    if Self.ids(in: text.0).count == Self.ids(in: text.1).count { _ = bind([text]) }
    return Self.replacing(output.joined(separator: "\n"), by: documentedIDs)
  }

  // MARK: Ids

  private static var id: Regex<Substring> {
    #/[0-9A-F]{8}(?:-[0-9A-F]{4}){3}-[0-9A-F]{12}|\b[0-9A-F]{8}\b/#.asciiOnlyWordCharacters()
      .wordBoundaryKind(.simple)
  }

  private static func replacing(_ text: String, by counterparts: [String: String]) -> String {
    text.replacing(id) { match -> String in
      let id = String(match.output)
      return counterparts[id] ?? id
    }
  }

  private static func ids(in line: String) -> [String] {
    line.matches(of: id).map { String($0.output) }
  }

  /// Matches the ids of corresponding lines, in order.
  ///
  /// - Returns: Whether each id still has one counterpart on the other side.
  private mutating func bind(_ lines: [(documented: String, actual: String)]) -> Bool {
    var isConsistent = true
    for line in lines {
      for (documented, actual) in zip(Self.ids(in: line.documented), Self.ids(in: line.actual)) {
        // The first eight digits of a UUID are the id that people type.
        var pairs = [(documented, actual)]
        if documented.count > 8 {
          pairs.append((String(documented.prefix(8)), String(actual.prefix(8))))
        }
        for (documented, actual) in pairs {
          if actualIDs[documented] == nil, documentedIDs[actual] == nil {
            actualIDs[documented] = actual
            documentedIDs[actual] = documented
          }
          isConsistent = isConsistent && actualIDs[documented] == actual
        }
      }
    }
    return isConsistent
  }

  // MARK: What may differ

  /// A line of output, with the page's text for values of this run.
  private func general(_ line: String) -> String {
    let days = [Date(), Date(timeIntervalSinceNow: -86_400)].map {
      $0.formatted(.iso8601.year().month().day())
    }
    return Self.trimmed(
      line.replacing(home, with: "/home/you")
        .replacing(#/([0-9-]{10}) [0-9]{2}:[0-9]{2}/#) { match in
          days.contains(String(match.1)) ? "2026-11-23 08:40" : String(match.0)
        }
        .replacing(#/([0-9-]{10})-[0-9]{6}/#) { match in
          days.contains(String(match.1)) ? "2026-11-23-084000" : String(match.0)
        })
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }

  /// A line without values that depend on the run and on the versions of the encoders.
  private static func masked(_ line: String) -> String {
    line.replacing(id, with: "ID").replacing("(Landlock, ", with: "(")
      .replacing(#/[0-9]+ (bytes|MB)/#) { "N \($0.1)" }
      .replacing(#/-?[0-9.]+ (LUFS|dBTP)/#) { "N \($0.1)" }
  }

  /// The lines, with adjacent reports of one file each sorted; the notes below a report stay with
  /// it.
  private static func ordered(_ lines: [String]) -> [String] {
    let isReport: (String) -> Bool = { line in
      ["imported  ", "moved     ", "refused   ", "skipped   ", "made    "].contains {
        line.hasPrefix($0)
      }
    }
    var result: [String] = []
    var reports: [[String]] = []
    for line in lines + ["end"] {
      if isReport(line) {
        reports.append([line])
      } else if !reports.isEmpty, line.hasPrefix("  ") {
        reports[reports.count - 1].append(line)
      } else {
        result += reports.sorted { masked($0[0]) < masked($1[0]) }.flatMap(\.self) + [line]
        reports = []
      }
    }
    return result.dropLast()
  }

  /// Whether output matches a page's text, in which `…` stands for any lines.
  private static func match(
    _ documented: ArraySlice<String>, _ actual: ArraySlice<String>,
    _ pairs: inout [(documented: String, actual: String)]
  ) -> Bool {
    guard let line = documented.first else { return actual.isEmpty }
    let rest = documented.dropFirst()
    if line == "…" {
      return (actual.startIndex...actual.endIndex).contains { match(rest, actual[$0...], &pairs) }
    }
    guard let next = actual.first, masked(line) == masked(next) else { return false }
    let count = pairs.count
    pairs.append((line, next))
    if match(rest, actual.dropFirst(), &pairs) { return true }
    pairs.removeSubrange(count...)
    return false
  }
}
