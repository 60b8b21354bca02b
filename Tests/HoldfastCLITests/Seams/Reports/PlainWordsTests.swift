import Foundation
import HoldfastTestSupport
import Testing

/// Because of one NaN sample, a whole memo was refused with FFmpeg's message: "Input contains
/// (near) NaN/+-Inf".
@Suite("Messages about damage", .temporaryFolder)
struct PlainWordsTests {
  let library = LibraryFolder()

  /// Writes two seconds of a tone in floating point, with impossible samples.
  private func writeBrokenTone(_ name: String) throws -> String {
    var samples = (0..<96_000).map { 0.3 * sin(Float($0) * 0.05) }
    for place in 30_000..<30_010 { samples[place] = .nan }
    samples[60_000] = .infinity
    samples[70_000] = 1e30
    let data = samples.flatMap { Bytes.little($0.bitPattern) }
    let format =
      [3, 0, 1, 0] + Bytes.little(48_000 as UInt32) + Bytes.little(192_000 as UInt32)
      + [4, 0, 32, 0]
    let file =
      Array("RIFF".utf8) + Bytes.little(UInt32(36 + data.count)) + Array("WAVEfmt ".utf8)
      + Bytes.little(16 as UInt32) + format + Array("data".utf8)
      + Bytes.little(UInt32(data.count)) + data
    let path = temporary(name)
    try Data(file).write(to: URL(filePath: path))
    return path
  }

  @Test(
    "Samples that are not numbers are silenced and counted, and the rest is kept",
    arguments: ["aac", "alac"])
  func notNumbers(audio: String) async throws {
    let path = try writeBrokenTone("memo.wav")
    let result = try await library.holdfast(["import", "--move", "--audio", audio, "--json", path])
    #expect(result.status == 0, "\(result.output)\(result.errorOutput)")
    #expect(!(result.output + result.errorOutput).contains("NaN"))
    let line = try #require(try ImportLine.lines(of: result).first)
    let warnings = line.warnings ?? []
    #expect(warnings.contains { $0.hasSuffix("frames of the sound came out damaged") })
    #expect(line.moved == .source(false))
    let file = "\(library.path)/\(try #require(line.recordings?.first?.filePath))"
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-i", file, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
    #expect(abs(try await FFprobe.presentedDuration(file) - 2) < 0.1)
  }
}
