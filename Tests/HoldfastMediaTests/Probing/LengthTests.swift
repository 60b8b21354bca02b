import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

/// A Vorbis file that was trimmed at its end was 97,391 s long, and WMA Pro without durations ended
/// where its last packet begins.
@Suite("Lengths that packets do not tell", .temporaryFolder)
struct LengthTests {
  /// How many samples ffmpeg decodes from a file of one channel.
  private func decodedSamples(_ path: String) async throws -> Int {
    try await Command.output(of: "ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
      .outputBytes.count / 2
  }

  @Test(
    "The last packet of a Vorbis that was trimmed at its end has a believable length",
    arguments: [1, 124, 5000])
  func trimmed(samples: Int64) async throws {
    let source = try await make(
      "whole.ogg", ["-f", "lavfi", "-i", "sine=duration=3", "-c:a", "libvorbis"])
    var ogg = try OggFile(source)
    // The last page ends before the one before it, or shortly after.
    ogg.pages[ogg.pages.count - 1].granule = ogg.pages[ogg.pages.count - 2].granule - samples
    let path = newPath("ogg")
    try ogg.write(to: path)
    let info = try await probe(path)
    let duration = try #require(info.duration)
    let decoded = try await decodedSamples(path)
    #expect(abs(duration - Double(decoded) / 44_100) < 0.1)
    #expect(!info.isDamaged)
    let made = try await convert(path)
    try await made.check()
    let length = try await FFprobe.presentedDuration(made.path)
    #expect(abs(length - Double(decoded) / 44_100) < 0.1)
  }

  @Test(
    "Packets of WMA Pro without durations last as long as the file says",
    .enabled(if: Cases.path("quodlibet__test-2.wma") != nil))
  func withoutDurations() async throws {
    let info = try await probe(try #require(Cases.path("quodlibet__test-2.wma")))
    #expect(abs(try #require(info.duration) - 3.684) < 0.05)
    #expect(info.warnings.isEmpty)
  }

  @Test("The repeats at the end of Theora, which are empty packets, keep their time")
  func repeats() async throws {
    let source = try await make(
      "whole.ogv",
      [
        "-f", "lavfi", "-i", "testsrc2=size=160x120:rate=25:duration=0.52", "-c:v", "libtheora",
        "-q:v", "7", "-page_duration", "1",
      ])
    var ogg = try OggFile(source)
    var pictures = 0
    for index in ogg.pages.indices where ogg.pages[index].granule > 0 {
      pictures += 1
      if pictures > 2 { (ogg.pages[index].lacing, ogg.pages[index].body) = ([0], []) }
    }
    let path = newPath("ogv")
    try ogg.write(to: path)
    let made = try await convert(path)
    let check = try await made.check()
    #expect(abs(check.duration - 0.52) < 0.01)
    #expect(abs(try #require(try await FFprobe.format(made.path)?.duration) - 0.52) < 0.01)
  }
}
