import HoldfastTestSupport
import Testing

@testable import HoldfastCLI
@testable import HoldfastConsole

@Suite("Progress on a terminal", .temporaryFolder)
struct ProgressTests {
  let library = LibraryFolder()

  /// An import's output on a terminal of 40 columns.
  private func importOnTerminal(_ sources: String, _ options: String = "") async throws -> String {
    let command = "\(try Command.holdfast) import --library '\(library.path)' --jobs 2 \(options)"
    return try await Command.run(
      "script", ["-qec", "stty columns 40 rows 10; \(command) '\(sources)'", "/dev/null"]
    ).output
  }

  @Test(
    "Each conversion has a bar below the lines, which is erased in the end",
    .notInSample)
  func bars() async throws {
    let sources = try makeFolder("in", holding: ["odd.webm", "portrait.mov", "text.mp4"])
    _ = try await makeSlowClip("in/为什么我戒烟了，以及第三十天的感觉.avi")
    let output = try await importOnTerminal(sources)
    let parts = output.split(separator: "\u{1B}[J", omittingEmptySubsequences: false)
    try #require(parts.count > 4)
    #expect(parts.last?.split(whereSeparator: \.isNewline) == ["3 imported, 1 refused."])
    // The bar is drawn between one erasure and the next; printed lines have no bar.
    let drawn = parts.flatMap { $0.split(whereSeparator: \.isNewline) }
      .filter { $0.hasPrefix("[") }.map { $0.prefix { $0 != "\r" && $0 != "\u{1B}" } }
    #expect(drawn.contains { $0.hasPrefix("[##") && $0.hasSuffix(" %  为什么我…") })
    #expect(drawn.allSatisfy { String($0).displayWidth < 40 })
    #expect(drawn.contains("[4/4]"))
  }

  @Test("No progress is drawn with --json or --quiet")
  func plain() async throws {
    let sources = try makeFolder("in", holding: ["odd.webm", "portrait.mov", "text.mp4"])
    for option in ["--json", "--quiet", "--quiet --dry-run"] {
      let output = try await importOnTerminal(sources, option + " --allow-duplicates")
      #expect(!output.contains("\u{1B}[J") && !output.contains(" %"))
    }
  }

  @Test(
    "A progress bar always has the same length",
    arguments: [
      (0, "[--------------------]   0 %  x"), (0.049, "[--------------------]   4 %  x"),
      (0.5, "[##########----------]  50 %  x"), (0.999, "[###################-]  99 %  x"),
      (1, "[####################] 100 %  x"), (7, "[####################] 100 %  x"),
    ])
  func bar(done: Double, line: String) { #expect(ProgressBar.line(done, "x") == line) }
}
