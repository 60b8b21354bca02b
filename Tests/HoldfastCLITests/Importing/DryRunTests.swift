import HoldfastTestSupport
import Testing

@Suite("Dry runs", .temporaryFolder)
struct DryRunTests {
  let library = LibraryFolder()

  /// A source's result, in words that a dry run and an import share.
  private func outcome(_ line: ImportLine) -> String {
    switch line.event {
    case "imported": "import"
    case "skipped" where line.reason == "dryRun": "import"
    case "skipped": "skip: \(line.reason ?? "")"
    default: "\(line.event): \(line.code ?? ""): \(line.error ?? "")"
    }
  }

  private func outcomes(_ lines: [ImportLine]) -> [String: String] {
    Dictionary(
      lines.compactMap { line in line.source.map { ($0, outcome(line)) } },
      uniquingKeysWith: { "\($0); \($1)" })
  }

  @Test(
    "A dry run says what the import then does, source by source",
    arguments: Extent.sample([["--video", "copy"], [], ["--allow-duplicates"]], every: 5))
  func sameAsImport(options: [String]) async throws {
    try await library.importing("voice.wav", "hevc8.mp4")
    let sources = try makeFolder("in")
    // Twins of new, known and refused sources.
    for name in ["portrait.mov", "voice.wav", "text.mp4", "len-121.m4a", "pcm.mov", "odd.webm"] {
      try copyFixture(name, to: "in/twin of \(name)")
    }
    let arguments = ["import", "--json", "--jobs", "1"] + options + [Fixtures.path(""), sources]
    let before = try await Find.snapshot(TemporaryFolder.current)
    let dry = try await library.holdfast(arguments + ["--dry-run"])
    #expect(try await Find.snapshot(TemporaryFolder.current) == before)
    let real = try await library.holdfast(arguments)
    let (said, done) = (try ImportLine.lines(of: dry), try ImportLine.lines(of: real))
    #expect(outcomes(said) == outcomes(done))
    #expect(dry.status == real.status)
    let (promise, result) = (try #require(said.last), try #require(done.last))
    #expect(promise.planned == result.imported && promise.imported == 0)
    #expect(promise.skipped == result.skipped && promise.failed == result.failed)
    #expect(result.planned == nil)
  }

  @Test("The same source several times in one dry run would be imported once", arguments: [1, 4])
  func repetitions(jobs: Int) async throws {
    let sources = try makeFolder("in")
    for number in 1...3 { try copyFixture("aac.m4a", to: "in/\(number).m4a") }
    let arguments = ["import", "--dry-run", "--jobs", "\(jobs)", sources]
    let before = try await Find.snapshot(library.path)
    let result = try await library.holdfast(arguments)
    #expect(result.status == 0)
    #expect(result.lines.last == "1 would be imported, 2 the same as another.")
    if jobs == 1 {
      #expect(
        result.errorLines == [
          "skipped   \(sources)/2.m4a: the same as \(sources)/1.m4a",
          "skipped   \(sources)/3.m4a: the same as \(sources)/1.m4a",
        ])
    }
    let lines = try ImportLine.lines(of: try await library.holdfast(arguments + ["--json"]))
    let planned = try #require(lines.first { $0.reason == "dryRun" })
    #expect(lines.compactMap(\.duplicateOf) == [planned.source, planned.source])
    #expect(lines.last?.planned == 1 && lines.last?.skipped == 2)
    #expect(try await Find.snapshot(library.path) == before)
  }
}
