import HoldfastTestSupport
import Testing

/// Importing a source again, to restore a lost library's data, gives the same bytes: their hash
/// matches its title, notes and plays.
@Suite("Importing the same again", .temporaryFolder)
struct RepeatedImportTests {
  /// All combinations of the options that affect the written file.
  static let options: [[String]] = {
    let groups = [
      [[], ["--video", "h264"], ["--video", "hevc"]],
      [[], ["--audio", "aac"], ["--audio", "alac"]],
      [[], ["--max-height", "120"]],
      [[], ["--keep-metadata"]],
      [["--over-limit", "split"], ["--over-limit", "trim"]],
    ]
    return groups.reduce([[]]) { all, group in all.flatMap { one in group.map { one + $0 } } }
  }()

  /// Every fixture that is imported with some options; in a sample, every sixth, and one that is
  /// cut.
  private static let sources: [String] = {
    let names = Fixtures.manifest.filter { $0.expect != .refuse }.map(\.path)
    let some = names.enumerated().filter { Extent.isWhole || $0.offset % 6 == 0 }.map(\.element)
    return (some + ["len-121.m4a"]).map(Fixtures.path)
  }()

  /// Each source's result: its name, the part, and the hashes of the file and of the thumbnail.
  private func importing(
    _ options: [String], as name: String, jobs: Int
  ) async throws -> [[String]] {
    let library = LibraryFolder(name)
    let result = try await library.holdfast(
      ["import", "--jobs", "\(jobs)"] + options + Self.sources)
    #expect([0, 3].contains(result.status), "\(result.errorOutput)")
    return try await library.sql(
      """
      SELECT originalFilename, part, sourceSHA256, fileSHA256, thumbnailSHA256 FROM recording
      ORDER BY originalFilename, part
      """)
  }

  // Five tags have 120 orders, and each process chose its own.
  @Test("writes kept metadata in the same order each time")
  func metadata() async throws {
    var hashes: Set<String> = []
    for name in ["one", "two", "three"] {
      let library = LibraryFolder(name)
      try await library.importing("portrait.mov", options: ["--keep-metadata"])
      hashes.formUnion(try await library.column("SELECT fileSHA256 FROM recording"))
    }
    #expect(hashes.count == 1)
  }

  @Test(
    "gives the same bytes, one file at a time and several at once",
    arguments: Extent.sample(options, every: 18))
  func twice(options: [String]) async throws {
    let first = try await importing(options, as: "one", jobs: 1)
    let second = try await importing(options, as: "two", jobs: 4)
    #expect(first.count >= Self.sources.count)
    #expect(first == second)
  }
}
