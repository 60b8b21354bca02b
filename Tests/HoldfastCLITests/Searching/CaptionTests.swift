import Foundation
import HoldfastTestSupport
import Testing

@Suite("holdfast export --format vtt and srt", .temporaryFolder)
struct CaptionTests {
  let library = LibraryFolder()

  @Test("ffprobe reads the captions of each recording with words", arguments: ["vtt", "srt"])
  func captions(_ format: String) async throws {
    try await library.importing("hevc10.mov", "aac.m4a")
    let row = try await library.sql("SELECT id, filePath FROM recording WHERE type = 'audio'")[0]
    try await library.say(["Tom & <b>Jerry</b> --> end", "Second line."], in: row[0])
    let folder = temporary("captions")
    let result = try await library.holdfast("export", "--format", format, folder)
    #expect(result.status == 0, "\(result.errorOutput)")
    #expect(result.output.hasSuffix("captions of 1 recording\n"))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder) == ["audio_\(row[0]).\(format)"])
    let file = "\(folder)/audio_\(row[0]).\(format)"
    let packets = try await FFprobe.packets(file)
    #expect(packets.count == 2)
    let text = try String(contentsOfFile: file, encoding: .utf8)
    #expect(text.split(separator: "-->").count == 3)
    #expect(!text.contains("<b>"))
    #expect(try await library.holdfast("export", "--format", format, folder).status == 1)
  }
}
