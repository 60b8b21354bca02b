import Foundation
import HoldfastTestSupport
import Testing

/// `--jobs 9223372036854775807` trapped.
@Suite("Numbers that are out of range", .temporaryFolder)
struct OptionRangeTests {
  let library = LibraryFolder()

  @Test(
    "A number of jobs that is not from 1 to 256 is bad usage",
    arguments: ["9223372036854775807", "257", "0", "-1"], ["import", "thumbnails"])
  func jobs(count: String, command: String) async throws {
    let sources = command == "import" ? [Fixtures.path("aac.m4a")] : []
    let result = try await library.holdfast([command, "--jobs=\(count)"] + sources)
    #expect(result.status == 64)
    #expect(result.errorOutput.contains("it goes from 1 to 256"))
    #expect(try await library.column("SELECT count(*) FROM recording") == ["0"])
  }

  @Test(
    "A thumbnail's size or quality that is out of range is bad usage, before any is made",
    arguments: [
      ("--size=100000", "from 16 to 4096"), ("--size=15", "from 16 to 4096"),
      ("--quality=0", "from 1 to 100"), ("--quality=101", "from 1 to 100"),
    ])
  func thumbnails(option: String, range: String) async throws {
    try await library.importing("portrait.mov")
    let id = try await library.column("SELECT id FROM recording")[0]
    for ids in [[], [id]] {
      let result = try await library.holdfast(["thumbnails", option] + ids)
      #expect(result.status == 64)
      #expect(result.errorOutput.contains("is out of range: it goes \(range)"))
    }
  }

  @Test("The largest allowed numbers are accepted")
  func mostJobs() async throws {
    try await library.importing("aac.m4a", "voice.wav", options: ["--jobs", "256"])
    #expect(try await library.holdfast("thumbnails", "--jobs", "256").status == 0)
    try await library.expectSound()
  }
}
