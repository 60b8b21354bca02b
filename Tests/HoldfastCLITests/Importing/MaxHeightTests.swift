import Foundation
import HoldfastTestSupport
import Testing

@Suite("Pictures with a maximum height", .temporaryFolder)
struct MaxHeightTests {
  let library = LibraryFolder()

  private func sizes() async throws -> [String] {
    var sizes: [String] = []
    for name in try await library.find("-name", "*.mov") {
      let stream = try #require(
        try await FFprobe.streams(library.path + "/" + name).first { $0.codecType == "video" })
      sizes.append("\(stream.width ?? 0)x\(stream.height ?? 0)")
    }
    return sizes.sorted()
  }

  @Test("Pictures shown higher are scaled down, the rest is copied, and the reasons say why")
  func scaled() async throws {
    // 180 by 320 as it is seen, and 160 by 90.
    let sources = [Fixtures.path("portrait.mov"), Fixtures.path("silent-video.mp4")]
    let dry = try await library.holdfast(
      ["import", "--dry-run", "--max-height", "160"] + sources)
    #expect(dry.status == 0)
    #expect(dry.output.contains("picture encoded"))
    let result = try await library.holdfast(["import", "--max-height", "160"] + sources)
    #expect(result.status == 0)
    #expect(result.output.contains("picture encoded"))
    #expect(result.output.contains("picture copied"))
    #expect(try await sizes() == ["160x90", "90x160"])
    let conversions = try await library.column("SELECT conversion FROM recording")
    #expect(conversions.count { $0.contains("its height of 320 is over the 160 asked for") } == 1)
    try await library.expectSound()
  }

  @Test("Only copies of pictures that are too high are refused, with the way out")
  func copyRefused() async throws {
    let sources = [Fixtures.path("portrait.mov"), Fixtures.path("silent-video.mp4")]
    let result = try await library.holdfast(
      ["import", "--video", "copy", "--max-height", "160"] + sources)
    #expect(result.status == 3)
    let refusal = try #require(result.errorLines.first { $0.contains("portrait.mov") })
    #expect(refusal.contains("its height of 320 is over the 160 asked for"))
    #expect(refusal.hasSuffix("; use --video auto or a larger --max-height"))
    #expect(try await sizes() == ["160x90"])
  }

  @Test(
    "A height that no picture can have is bad usage",
    arguments: Extent.sample(["1", "0", "-5", "tall"], every: 3))
  func validation(_ height: String) async throws {
    let result = try await library.holdfast(
      ["import", "--max-height=\(height)", Fixtures.path("portrait.mov")])
    #expect(result.status == 64)
    #expect(try await sizes().isEmpty)
  }
}
