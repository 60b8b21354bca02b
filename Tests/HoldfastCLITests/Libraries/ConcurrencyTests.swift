import HoldfastTestSupport
import Testing

@Suite("Several commands at once", .temporaryFolder)
struct ConcurrencyTests {
  @Test(
    "Two imports of one folder at once import each recording once",
    arguments: Extent.sample(Array(1...6), every: 6))
  func twoImports(round: Int) async throws {
    let library = LibraryFolder()
    let names = ["aac.m4a", "odd.webm", "portrait.mov", "text.mp4", "voice.wav", "hevc8.mp4"]
    let sources = try makeFolder("in", holding: names)
    async let first = library.holdfast("import", "--json", sources)
    async let second = library.holdfast("import", "--json", sources)
    let results = try await [first, second]
    var imported = 0
    for result in results {
      #expect(result.status == 3, "\(result.errorOutput)")
      let summary = try #require(try ImportLine.lines(of: result).last)
      #expect(summary.failed == 1)
      #expect((summary.imported ?? 0) + (summary.skipped ?? 0) == 5)
      imported += summary.imported ?? 0
    }
    #expect(imported == 5)
    let counts = try await library.sql(
      "SELECT count(*), count(DISTINCT sourceSHA256) FROM recording")
    #expect(counts == [["5", "5"]])
    try await library.expectSound()
  }

  @Test("A reader sees a sound library while others write")
  func readersAndWriters() async throws {
    let library = LibraryFolder()
    try await library.importing("aac.m4a")
    let sources = try makeFolder("in", holding: ["odd.webm", "portrait.mov", "voice.wav"])
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...3 {
        group.addTask {
          let result = try await library.holdfast("import", "--allow-duplicates", sources)
          #expect(result.status == 0, "\(result.errorOutput)")
        }
      }
      for _ in 1...2 {
        group.addTask {
          for _ in 1...8 {
            let findings = try await library.findings()
            #expect(findings.isEmpty)
            let list = try await library.holdfast("list")
            #expect(list.status == 0, "\(list.errorOutput)")
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try await library.column("SELECT count(*) FROM recording") == ["10"])
    try await library.expectSound()
  }
}
