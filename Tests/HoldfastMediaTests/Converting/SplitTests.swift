import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A source that is split", .temporaryFolder)
struct SplitTests {
  /// Parts are few, about equally long, and none is over the cap.
  private func expectBalance(_ parts: [Converted], of seconds: Double, within: Double) async throws
  {
    #expect(parts.count == Int((seconds / 120).rounded(.up)))
    for part in parts {
      let duration = try await FFprobe.presentedDuration(part.path)
      #expect(duration <= 120.05)
      #expect(abs(duration - seconds / Double(parts.count)) < within)
    }
  }

  @Test(
    "has every packet of the source once as a copy, and each part begins at a keyframe",
    arguments: Extent.sample(["long.mkv", "long.mp4"], every: 4),
    Extent.sample([121.0, 250.0], every: 4))
  func copy(name: String, seconds: Double) async throws {
    let source = try await LongSource.video(name, seconds: seconds)
    let parts = try await convertParts(source, .split)
    try await expectBalance(parts, of: seconds, within: 5.1)
    var packets: [HashedPacket] = []
    for part in parts {
      #expect(part.plan.video?.isCopied == true && !part.plan.isTrimmed)
      let own = try await HashedPacket.all(part.path, stream: 0)
      #expect(own.first?.flags.contains("K") == true)
      packets += own
      let decoded = try await Command.output(
        of: "ffmpeg", ["-v", "error", "-xerror", "-i", part.path, "-f", "null", "-"])
      #expect(decoded.errorOutput.isEmpty)
    }
    #expect(packets.map(\.hash) == (try await HashedPacket.all(source, stream: 0).map(\.hash)))
  }

  @Test(
    "has the source's sound, sample for sample where it is copied", .notInSample,
    arguments: Extent.sample(["long.mp4", "long.mkv", "long.m4a", "alac.m4a"], every: 6))
  func soundOfCopies(name: String) async throws {
    let source =
      name.hasSuffix("m4a")
      ? try await LongSource.sound(
        name, seconds: 250, options: name == "alac.m4a" ? ["-c:a", "alac"] : ["-aac_pns", "0"])
      : try await LongSource.video(name, seconds: 250)
    let whole = try await sound(source)
    for part in try await convertParts(source, .split) {
      #expect(part.plan.audio?.isCopied == true)
      // Matroska's clock counts only milliseconds.
      let shift = name.hasSuffix("mkv") ? -50...50 : 0...0
      #expect(try await soundDifference(part, from: whole, shift: shift) < 0.001)
    }
  }

  @Test("has every picture of the source once as an encode, at its time", .notInSample)
  func encode() async throws {
    let source = try await LongSource.webm(seconds: 250)
    let parts = try await convertParts(source, .split)
    try await expectBalance(parts, of: 250, within: 0.5)
    let whole = try await sound(source, rate: 24_000)
    var times: [Double] = []
    for part in parts {
      times += try await pictureTimes(part.path).map { $0 + part.plan.start.seconds }
      // As above, and Opus's priming is not a whole number of milliseconds.
      let shift = -120...120
      #expect(try await soundDifference(part, from: whole, rate: 24_000, shift: shift) < 0.3)
    }
    let expected = try await pictureTimes(source)
    #expect(times.count == expected.count)
    #expect(zip(times, expected).allSatisfy { abs($0 - $1) <= 0.0011 })
  }

  @Test(
    "is encoded where no keyframe is close enough to a cut",
    arguments: Extent.sample(
      [
        // One keyframe, and keyframes that are followed by pictures with earlier times.
        ("keyint=infinite:bframes=3:scenecut=0", 9999),
        ("min-keyint=60:open-gop=1:bframes=3:b-adapt=0:scenecut=0", 60),
      ], every: 2))
  func noKeyframe(x264: String, keyframes: Int) async throws {
    let source = try await LongSource.video(
      "long.mkv", seconds: 122, keyframes: keyframes, x264: x264)
    let parts = try await convertParts(source, .split)
    try await expectBalance(parts, of: 122, within: 0.2)
    var pictures = 0
    for part in parts {
      #expect(part.plan.video?.encodedBecause?.contains("keyframe") == true)
      #expect(part.plan.audio?.isCopied == true)
      pictures += try await pictureTimes(part.path).count
    }
    #expect(pictures == (try await pictureTimes(source).count))
    let error = try #require(
      await #expect(throws: HoldfastError.self) {
        try await convertParts(source, .split, policy: .copy)
      })
    #expect(error.code == .cannotCopy)
  }

  @Test(
    "is divided into equal parts if it is only sound",
    arguments: Extent.sample(
      [
        ("long.mp3", ["-c:a", "libmp3lame", "-b:a", "32k"]), ("long.ogg", ["-c:a", "libopus"]),
        ("long.wav", ["-c:a", "pcm_s16le"]), ("long.flac", ["-c:a", "flac"]),
      ], every: 3))
  func soundAlone(name: String, options: [String]) async throws {
    let source = try await LongSource.sound(name, seconds: 250, options: options)
    let parts = try await convertParts(source, .split)
    try await expectBalance(parts, of: 250, within: 0.1)
    let whole = try await sound(source)
    for part in parts {
      #expect(try await soundDifference(part, from: whole) < 0.3)
    }
  }

  @Test("has parts of sound alone where the picture is missing", .notInSample)
  func soundWithoutPicture() async throws {
    let source = try await LongSource.video(
      "short.mkv", seconds: 300, options: ["-vf", "trim=end=100"])
    let parts = try await convertParts(source, .split)
    #expect(parts.map(\.plan.type) == [.video, .audio, .audio])
    var sum = 0.0
    for part in parts { sum += try await FFprobe.presentedDuration(part.path) }
    #expect(abs(sum - 300) < 0.2)
    #expect(try await pictureTimes(parts[0].path).count == 1000)
  }

  @Test(
    "may have its picture start late", .notInSample,
    arguments: Extent.sample(["late.mov", "late.mkv"], every: 4))
  func latePicture(name: String) async throws {
    let pictures = try await make(
      "pictures.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=96x64:r=10:d=50", "-c:v", "libx264", "-g", "50"])
    let tone = try await LongSource.sound("tone.m4a", seconds: 200, options: ["-b:a", "32k"])
    let source = try await make(
      name,
      ["-itsoffset", "150", "-i", pictures, "-i", tone, "-map", "0:v", "-map", "1:a", "-c", "copy"])
    let parts = try await convertParts(source, .split)
    #expect(parts.map(\.plan.type) == [.audio, .video])
    #expect(try await pictureTimes(parts[1].path).count == 500)
    var sum = 0.0
    for part in parts { sum += try await FFprobe.presentedDuration(part.path) }
    #expect(abs(sum - 200) < 0.3)
    let late = try #require(try await pictureTimes(parts[1].path).first)
    #expect(
      abs(late + parts[1].plan.start.seconds - (try #require(parts[1].info.start).seconds) - 150)
        < 0.05)
  }

  @Test("keeps all pictures if it is a transport stream, which has no index", .notInSample)
  func transportStream() async throws {
    let whole = try await LongSource.video(seconds: 250)
    let source = try await make("long.ts", ["-i", whole, "-c", "copy"])
    var pictures = 0
    for part in try await convertParts(source, .split) {
      pictures += try await pictureTimes(part.path).count
    }
    #expect(pictures == 2500)
  }

  @Test("is refused if one picture is shown for longer than a recording may last", .notInSample)
  func standingPicture() async throws {
    let source = try await LongSource.video(
      "still.mkv", seconds: 200, options: ["-vf", "select='lt(t,10)+gte(t,190)'", "-vsync", "vfr"])
    let error = try #require(
      await #expect(throws: HoldfastError.self) { try await convertParts(source, .split) })
    #expect(error.code == .cannotSplit)
    #expect(
      error.reason.hasSuffix(
        " s long, and one of its pictures is shown for more than 120 s, so it cannot be split"))
  }

  @Test("keeps all packets if it is a fragmented file", .notInSample)
  func fragmented() async throws {
    let source = try await LongSource.video(
      "long.mp4", seconds: 250,
      options: ["-movflags", "frag_keyframe+empty_moov+default_base_moof"])
    let parts = try await convertParts(source, .split)
    var packets: [String] = []
    for part in parts { packets += try await HashedPacket.all(part.path, stream: 0).map(\.hash) }
    #expect(packets == (try await HashedPacket.all(source, stream: 0).map(\.hash)))
  }
}
