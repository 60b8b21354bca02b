import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The picture of a thumbnail", .temporaryFolder, .notInSample)
struct ThumbnailChoiceTests {
  /// A clip, and the picture that should be chosen.
  struct Clip: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The first two seconds of ten; `nil` if the rest fills all ten.
    var intro: String?
    var rest = content
    var reason: FrameChoice.Reason
    /// Whether the choice is a later picture, after the intro.
    var isLater = false
  }

  private static let content = "testsrc2=s=320x180:r=10"
  private static let gray = "color=gray:s=320x180:r=10"

  private static let clips = [
    Clip(testDescription: "content", reason: .usual),
    Clip(
      testDescription: "an evening",
      rest: "\(content),eq=contrast=0.14:brightness=-0.38", reason: .usual),
    Clip(
      testDescription: "lamps at night",
      rest:
        "color=black:s=320x180:r=10,drawbox=20:40:6:6:white:fill,drawbox=200:90:9:9:orange:fill,"
        + "drawbox=120:60:7:12:yellow:fill,noise=alls=4", reason: .usual),
    Clip(
      testDescription: "snow",
      rest: "color=0xF4F4F4:s=320x180:r=10,drawbox=60:90:40:60:0x505860:fill,"
        + "drawbox=0:140:320:4:0xD0D4D8:fill,noise=alls=4", reason: .usual),
    Clip(
      testDescription: "fog",
      rest: "\(content),eq=contrast=0.2:brightness=0.1", reason: .usual),
    Clip(
      testDescription: "a black intro", intro: "color=black:s=320x180:r=10", reason: .dark,
      isLater: true),
    Clip(
      testDescription: "a lens cap at first",
      intro: "color=0x060606:s=320x180:r=10,noise=alls=6:allf=t", reason: .dark, isLater: true),
    Clip(
      testDescription: "a white intro", intro: "color=white:s=320x180:r=10", reason: .bright,
      isLater: true),
    Clip(
      testDescription: "a grey intro", intro: gray + ",noise=alls=3", reason: .flat, isLater: true),
    Clip(
      testDescription: "a blurred beginning", intro: content + ",boxblur=24:3", reason: .blurred,
      isLater: true),
    Clip(testDescription: "black throughout", rest: "color=black:s=320x180:r=10", reason: .dark),
    Clip(testDescription: "white throughout", rest: "color=white:s=320x180:r=10", reason: .bright),
    Clip(testDescription: "grey throughout", rest: gray, reason: .flat),
  ]

  @Test(
    "is the usual one if that shows something, and otherwise the best of others",
    arguments: Extent.sample(clips, every: 3))
  func choice(_ clip: Clip) async throws {
    var graph =
      "\(clip.rest),trim=duration=8,setpts=PTS-STARTPTS,setsar=1,format=yuv420p[b]"
    if let intro = clip.intro {
      graph += ";\(intro),trim=duration=2,setsar=1,format=yuv420p[a];[a][b]concat=n=2"
    } else {
      graph += ";[b]null"
    }
    let source = try await make(
      "clip.mov",
      [
        "-filter_complex", graph, "-c:v", "libx264", "-crf", "16", "-g", "10", "-preset",
        "veryfast",
      ])
    let (report, path) = try await thumbnail(source)
    let choice = try #require(report.choice)
    #expect(choice.reason == clip.reason)
    #expect((0...1).contains(choice.score))
    #expect(clip.isLater ? choice.time >= 2 : choice.time == 1 || clip.reason != .usual)
    if clip.isLater {
      // A keyframe at or before 25, 50 or 75 % of ten seconds.
      #expect([2, 5, 7].contains(choice.time), "\(choice.time) s")
      #expect(choice.score > 0.5)
    } else if clip.reason != .usual {
      #expect(choice.score < 0.2)
    }
    let reference = try await samples(
      source, filters: "select='gte(t,\(choice.time - 0.01))',scale=in_color_matrix=bt601")
    #expect(try distance(try await samples(path), reference) < 8)
  }

  @Test("of a fade from black is one after the fade")
  func fade() async throws {
    let source = try await make(
      "fade.mp4",
      [
        "-f", "lavfi", "-i", "\(Self.content):d=8,fade=in:d=3", "-pix_fmt", "yuv420p", "-c:v",
        "libx264", "-g", "20",
      ])
    let choice = try #require(try await thumbnail(source).report.choice)
    #expect(choice.reason == .dark)
    #expect(choice.time >= 3)
  }

  @Test(
    "of a clip with one keyframe, which is black, is a picture after it",
    arguments: [
      ("r=25:d=8", "fade=in:st=1:d=1", "libx264"), ("r=25:d=8", "fade=in:st=1:d=1", "libx265"),
      ("r=1:d=8", "fade=in:st=2:d=1", "libx264"),
      ("r=30:d=8", "fade=in:st=0:d=3:c=white", "libx264"),
      ("r=2:d=2.5", "fade=in:st=1:d=1", "libx264"),
    ])
  func oneKeyframe(rate: String, fade: String, codec: String) async throws {
    let source = try await make(
      "one.mp4",
      [
        "-f", "lavfi", "-i", "testsrc2=s=320x180:\(rate),\(fade)", "-pix_fmt", "yuv420p",
        "-c:v", codec, "-g", "999", "-x264opts", "keyint=999:scenecut=0", "-x265-params",
        "keyint=999:scenecut=0:log-level=none",
      ])
    #expect(try await FFprobe.packets(source).count(where: \.isKeyframe) == 1)
    let (report, path) = try await thumbnail(source)
    let choice = try #require(report.choice)
    #expect(choice.reason != .usual && choice.score > 0.4)
    #expect((1...5).contains(choice.time))
    let reference = try await samples(
      source, filters: "select='gte(t,\(choice.time - 0.01))',scale=in_color_matrix=bt601")
    #expect(try distance(try await samples(path), reference) < 8)
  }

  @Test("is compressed in one scan up to 32 kB, and in several above", arguments: [480, 1600])
  func progressive(_ longSide: Int) async throws {
    let source = try await make(
      "large.mov", ["-f", "lavfi", "-i", "testsrc2=s=1600x900:d=0.2,noise=alls=20", "-crf", "18"])
    for quality in [5, 30, 80, 95] {
      let (report, path) = try await thumbnail(
        source, ThumbnailJob(longSide: longSide, quality: quality))
      let process = try #require(try await Exif.tags(path)["File:EncodingProcess"])
      #expect(process.hasPrefix(report.bytes > 32 << 10 ? "Progressive" : "Baseline"), "\(process)")
      // djpeg reads it without a warning.
      _ = try await JPEGFile.dimensions(path)
    }
  }
}
