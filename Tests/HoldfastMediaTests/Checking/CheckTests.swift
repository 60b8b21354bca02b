import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The check finds", .temporaryFolder)
struct CheckTests {
  /// A copy, an encode, and one of each.
  private static let sources: [(String, VideoPolicy)] = [
    ("portrait.mov", .auto), ("portrait.mov", .h264), ("pcm.mov", .auto), ("voice.wav", .auto),
    ("aac.m4a", .auto), ("vp9-opus-no-duration.webm", .auto),
  ]

  private func expectFailure(
    _ made: Converted, _ report: ConversionReport? = nil, source: String? = nil,
    output: String? = nil, saying words: String = "the check",
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let error = try await #require(throws: HoldfastError.self, sourceLocation: sourceLocation) {
      try await made.check(report, source: source, output: output)
    }
    #expect(error.code == .checkFailed, "\(error)", sourceLocation: sourceLocation)
    #expect(error.reason.contains(words), sourceLocation: sourceLocation)
  }

  /// A copy of the output, changed.
  private func tamper(
    _ made: Converted, _ change: (inout Data) throws -> Void
  ) throws -> String {
    var bytes = try Data(contentsOf: URL(fileURLWithPath: made.path))
    try change(&bytes)
    let path = newPath(made.plan.type.fileExtension)
    try bytes.write(to: URL(fileURLWithPath: path))
    return path
  }

  /// The output's packets, rewritten by ffmpeg.
  private func remux(_ made: Converted, _ arguments: [String]) async throws -> String {
    try await make(
      "remuxed.\(made.plan.type.fileExtension)",
      ["-i", "file:" + made.path, "-c", "copy"] + arguments)
  }

  @Test("no fault in an undamaged output", arguments: Extent.sample(sources, every: 3))
  func whole(_ name: String, _ policy: VideoPolicy) async throws {
    try await (try await convert(Fixtures.path(name), policy: policy)).check()
  }

  @Test("that the output is cut off", arguments: sources, [0.3, 0.6, 0.95])
  func truncated(_ source: (String, VideoPolicy), _ share: Double) async throws {
    let made = try await convert(Fixtures.path(source.0), policy: source.1)
    let cut = try tamper(made) { $0 = $0.prefix(Int(Double($0.count) * share)) }
    try await expectFailure(made, output: cut)
  }

  @Test("a single bit that changed in copied media", arguments: ["portrait.mov", "aac.m4a"])
  func flippedBit(_ name: String) async throws {
    let made = try await convert(Fixtures.path(name))
    let mdat = try #require(try MP4Boxes.topLevel(made.path).first { $0.type == "mdat" })
    for share in [0.1, 0.5, 0.99] {
      let flipped = try tamper(made) { bytes in
        bytes[Int(mdat.offset) + 8 + Int(Double(mdat.size - 9) * share)] ^= 1
      }
      try await expectFailure(made, output: flipped, saying: "the bytes of packet")
    }
  }

  @Test("that an encode's keyframe or sound does not decode")
  func overwritten() async throws {
    for (name, words) in [("portrait.mov", "keyframe"), ("voice.wav", "sound")] {
      let made = try await convert(Fixtures.path(name), policy: .h264)
      let mdat = try #require(try MP4Boxes.topLevel(made.path).first { $0.type == "mdat" })
      let ruined = try tamper(made) { bytes in
        let start = Int(mdat.offset) + 8
        bytes.replaceSubrange(
          start..<bytes.count, with: repeatElement(0xFF, count: bytes.count - start))
      }
      try await expectFailure(made, output: ruined, saying: words)
    }
  }

  @Test("that the last packets are missing", arguments: Extent.sample(sources, every: 3))
  func shortened(_ name: String, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(name), policy: policy)
    let short = try await remux(made, ["-t", "\(made.plan.duration * 0.7)"])
    try await expectFailure(made, output: short)
  }

  @Test("that one picture is missing, with the figures")
  func onePictureLess() async throws {
    for policy in [VideoPolicy.auto, .h264] {
      let made = try await convert(Fixtures.path("silent-video.mp4"), policy: policy)
      let count = try #require(made.report.pictures)
      let short = try await remux(made, ["-frames:v", "\(count - 1)"])
      try await expectFailure(
        made, output: short, saying: "\(count - 1) pictures were written instead of \(count)")
    }
  }

  @Test("that a picture was moved in time")
  func movedPicture() async throws {
    let made = try await convert(Fixtures.path("silent-video.mp4"))
    let moved = try tamper(made) { bytes in
      // The fifth entry's offset (ISO/IEC 14496-12, 8.6.1.3), by less than a picture.
      let ctts = try #require(bytes.range(of: Data("ctts".utf8)))
      bytes[ctts.upperBound + 8 + 4 * 8 + 7] ^= 0x40
    }
    try await expectFailure(made, output: moved, saying: " s instead of ")
  }

  @Test("that a stream is missing, or is one too many")
  func streamCount() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"))
    try await expectFailure(
      made, output: try await remux(made, ["-an"]),
      saying: "1 streams were written instead of 2")
    try await expectFailure(
      made, output: try await remux(made, ["-map", "0", "-map", "0:a"]),
      saying: "3 streams were written instead of 2")
  }

  @Test("that the output is another file's")
  func otherFile() async throws {
    let made = try await convert(Fixtures.path("portrait270.mov"))
    let other = try await convert(Fixtures.path("rotated180.mov"))
    try await expectFailure(made, output: other.path, saying: "180° instead of 270°")
    try await expectFailure(made, source: Fixtures.path("rotated180.mov"))
    let mirrored = try await convert(Fixtures.path("mirrored.mov"))
    try await expectFailure(other, output: mirrored.path, saying: "turned")
    let sound = try await convert(Fixtures.path("aac.m4a"))
    try await expectFailure(made, output: sound.path, saying: "audio instead of video")
    let odd = try await convert(Fixtures.path("odd.webm"))
    try await expectFailure(made, output: odd.path, saying: "160 × 120 instead of 160 × 90")
    let hevc = try await convert(Fixtures.path("hevc8.mp4"))
    try await expectFailure(made, output: hevc.path, saying: "hevc instead of h264")
  }

  @Test("that the turn was changed", arguments: [VideoPolicy.auto, .h264])
  func turned(_ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path("silent-video.mp4"), policy: policy)
    let turned = try tamper(made) { bytes in
      let tkhd = try #require(bytes.range(of: Data("tkhd".utf8)))
      let quarter: [UInt8] = [0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 255, 255, 0, 0, 0, 0, 0, 0]
      bytes.replaceSubrange(tkhd.upperBound + 40..<tkhd.upperBound + 60, with: quarter)
    }
    #expect(try await FFprobe.streams(turned).first?.clockwiseTurn == 90)
    try await expectFailure(made, output: turned, saying: "turned by 90° instead of 0°")
  }

  @Test("that the sound became silent")
  func silenced() async throws {
    let made = try await convert(Fixtures.path("voice.wav"))
    let stream = try #require(try await FFprobe.streams(made.path).first)
    let silence = try await make(
      "silence.m4a",
      [
        "-i", "file:" + made.path, "-af", "volume=0", "-c:a", "aac", "-ar",
        "\(try #require(stream.sampleRate))",
      ])
    try await expectFailure(made, output: silence, saying: "silent")
  }

  @Test("no fault in silence that was silent before")
  func silentSource() async throws {
    let source = try await make("silent.wav", ["-f", "lavfi", "-i", "anullsrc=r=16000", "-t", "1"])
    try await (try await convert(source)).check()
  }

  @Test("that a stream of the source is gone")
  func lostStream() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"))
    var report = made.report
    report.plan.video?.index = 9
    let error = try await #require(throws: HoldfastError.self) { try await made.check(report) }
    #expect(error.code == .damaged)
    #expect(error.reason.contains("stream 9 is gone"))
  }

  @Test("that the report's figures are not the output's")
  func wrongFigures() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"), policy: .h264)
    var report = made.report
    report.pictures = 59
    try await expectFailure(made, report, saying: "60 pictures were written instead of 59")
    report = made.report
    report.encodedSize = PictureSize(width: 320, height: 180)
    try await expectFailure(made, report, saying: "180 × 320 instead of 320 × 180")
    report = made.report
    report.plan.duration += 0.2
    try await expectFailure(made, report, saying: "2 s instead of 2.2 s")
    let sound = try await convert(Fixtures.path("voice.wav"))
    report = sound.report
    report.encodedSound = 0..<60_000
    try await expectFailure(sound, report, saying: "samples")
    report.encodedSound = nil
    try await expectFailure(sound, report)
  }
}
