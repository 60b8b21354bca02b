import Foundation
import HoldfastTestSupport
import Testing

@Suite("import --verify-decode", .temporaryFolder)
struct VerifyDecodeTests {
  let library = LibraryFolder()

  /// A clip with the middle third of one picture turned to noise, as by a failing card.
  private func damagedClip() async throws -> String {
    let clip = TemporaryFolder.current + "/clip.mp4"
    _ = try await Command.output(
      of: "ffmpeg",
      [
        "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-c:v", "libx264", "-bf",
        "0", clip,
      ])
    let positions = try await Command.output(
      of: "ffprobe", ["-v", "error", "-show_entries", "packet=pos", "-of", "csv=p=0", clip]
    ).output.split(separator: "\n")
    let position = try #require(Int(positions[20].filter(\.isNumber)))
    var bytes = try Data(contentsOf: URL(filePath: clip))
    for place in position + 60..<position + 120 { bytes[place] ^= 0x5A }
    try bytes.write(to: URL(filePath: clip))
    return clip
  }

  @Test("Damage in a copied stream is reported, and stays noted with the new recording")
  func damaged() async throws {
    let clip = try await damagedClip()
    let result = try await library.holdfast(["import", "--verify-decode", clip])
    #expect(result.status == 0)
    let finding = "1 of the 30 packets of its picture does not decode cleanly"
    #expect(result.errorLines.contains("  note: clip.mp4: \(finding)"))
    let id = try #require(try await library.sql("SELECT id FROM recording").first?.first)
    let shown = try await library.holdfast(["show", id]).output
    #expect(shown.contains(finding))
    #expect(shown.contains("damaged packets: 1"))
    #expect(shown.contains("30 packets equal the source's"))
  }

  @Test("Without it, nothing is decoded or reported")
  func notAsked() async throws {
    let result = try await library.holdfast(["import", try await damagedClip()])
    #expect(result.status == 0)
    #expect(!result.errorOutput.contains("decode"))
  }

  @Test("Undamaged media pass, copied or encoded")
  func whole() async throws {
    let names = ["portrait.mov", "hevc10.mov", "odd.webm", "voice.ogg", "aac.m4a"]
    let result = try await library.holdfast(
      ["import", "--verify-decode"] + names.map(Fixtures.path))
    #expect(result.status == 0)
    #expect(!result.errorOutput.contains("decode cleanly"))
    for id in try await library.sql("SELECT id FROM recording").flatMap({ $0 }) {
      #expect(try await library.holdfast(["show", id]).output.contains("all decoded"))
    }
  }
}
