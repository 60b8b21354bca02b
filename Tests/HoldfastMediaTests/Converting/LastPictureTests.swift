import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("The last picture of a clip", .temporaryFolder, .notInSample)
struct LastPictureTests {
  /// Thirty pictures that each depend on a later one, and hidden ones after them, as phones trim.
  private func trimmed(_ name: String, to seconds: Double, _ codec: [String]) async throws -> String
  {
    let path = try await make(
      name,
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=3", "-f", "lavfi", "-i", "sine=d=3"]
        + codec + ["-g", "90", "-bf", "2", "-c:a", "aac"])
    try EditedLength.end(path, at: seconds)
    return path
  }

  private static let codecs = [
    ["-c:v", "libx264"],
    [
      "-c:v", "libx265", "-x265-params", "log-level=none:b-adapt=0", "-tag:v", "hvc1",
      "-vf",
      "format=yuv420p10le,setparams=color_trc=arib-std-b67"
        + ":color_primaries=bt2020:colorspace=bt2020nc",
      "-color_trc", "arib-std-b67", "-color_primaries", "bt2020",
      "-colorspace", "bt2020nc",
    ],
  ]

  @Test(
    "can be followed by hidden ones, which do not prevent a copy, and stay hidden",
    arguments: Extent.sample(codecs, every: 3))
  func hidden(_ codec: [String]) async throws {
    for end in [2.0, 2.035, 1.97, 1.5] {
      let source = try await trimmed("\(end).mov", to: end, codec)
      var before = try await HashedPacket.all(source, stream: 0)
      while before.last?.isShown == false { before.removeLast() }
      let made = try await convert(source)
      #expect(made.plan.video?.encodedBecause == nil)
      try await made.check()
      let after = try await HashedPacket.all(made.path, stream: 0)
      #expect(after.map(\.hash) == before.map(\.hash))
      #expect(after.map(\.isShown) == before.map(\.isShown))
      #expect(try await shownPictures(made.path) == (try await shownPictures(source)))
      for path in [source, made.path] {
        #expect(abs(try await lengthByMediainfo(path) - end) <= 0.001)
      }
    }
    // Otherwise no picture that another one needs would have been hidden.
    let source = try await HashedPacket.all(
      TemporaryFolder.current + "/2.0.mov", stream: 0)
    let last = try #require(source.lastIndex { $0.isShown })
    let hidden = try #require(source.firstIndex { !$0.isShown })
    #expect(hidden < last)
  }

  @Test(
    "can precede hidden ones in real clips, which are copied with their Dolby Vision",
    .notInSample,
    .enabled(if: Corpus.folder != nil),
    arguments: ["media__dolbyVision-hdr.MOV", "media__sample_edit_list.mp4"])
  func dolbyVision(_ name: String) async throws {
    let source = try #require(Corpus.path("video/iphone/\(name)"))
    let made = try await convert(source)
    #expect(made.plan.video?.encodedBecause == nil)
    try await made.check()
    var before = try await HashedPacket.all(source, stream: 0)
    while before.last?.isShown == false { before.removeLast() }
    let after = try await HashedPacket.all(made.path, stream: 0)
    #expect(after.map(\.hash) == before.map(\.hash))
    #expect(after.map(\.isShown) == before.map(\.isShown))
    #expect(try await shownPictures(made.path) == (try await shownPictures(source)))
    let answer = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-select_streams", "v", "-show_entries",
        "stream=color_transfer:stream_side_data=dv_profile", "-of", "default=nk=1", made.path,
      ])
    #expect(answer.output.contains("arib-std-b67") && answer.output.contains("\n8\n"))
    let boxes = try Data(contentsOf: URL(filePath: made.path))
    #expect(boxes.range(of: Data("dvvC".utf8)) != nil)
  }

  @Test(
    "lasts as long as the sample table says", arguments: [VideoPolicy.auto, .h264], ["0", "2"])
  func long(_ policy: VideoPolicy, _ reordered: String) async throws {
    let source = try await thirty(reordered: reordered, lastStandingFor: 100)
    // Twenty-nine pictures of a fifteenth, and one of a hundred.
    let length = 129.0 / 15
    try #require(abs(try await lengthByMediainfo(source) - length) < 0.15)
    let made = try await convert(source, policy: policy)
    #expect(abs(try #require(made.info.duration) - (try await lengthByMediainfo(source))) <= 0.001)
    let report = try await made.check()
    #expect(abs(try await lengthByMediainfo(made.path) - report.duration) <= 0.001)
    #expect(abs(report.duration - (try #require(made.info.duration))) <= 0.001)
    #expect(made.info.damage == [])
    #expect(try await shownPictures(made.path) == 30)
  }

  /// The empty edit was counted twice: a clip of 4 s was stored as one of 5 s, and one of 90 s
  /// refused.
  @Test(
    "ends where its edit list does, also behind a late start",
    arguments: Extent.sample([0.5, 1, 2], every: 3))
  func late(_ delay: Double) async throws {
    let whole = try await make(
      "whole.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=6", "-f", "lavfi", "-i", "sine=d=6"]
        + ["-c:v", "libx264", "-g", "30", "-bf", "2", "-c:a", "aac"])
    let source = try await make(
      "late.mov",
      [
        "-i", whole, "-itsoffset", "\(delay)", "-i", whole, "-map", "1:v", "-map", "0:a", "-c",
        "copy",
      ])
    for end in [4.0, 3.02] {
      try EditedLength.end(source, at: end)
      let made = try await convert(source)
      let report = try await made.check()
      #expect(made.plan.copiesAny && made.plan.video?.isCopied == true)
      #expect(abs(report.duration - end) <= 0.05)
      #expect(abs(try #require(try await FFprobe.format(made.path)?.duration) - end) <= 0.05)
    }
  }

  /// The part that was cut off could be heard in the library.
  @Test("Sound that is hidden before a late start stays unheard")
  func hiddenSound() async throws {
    let source = try await make(
      "hidden.mov",
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=30:d=4"]
        + [
          "-itsoffset", "1.5", "-f", "lavfi", "-i",
          "aevalsrc='if(lt(t,1),sin(3000*t),0)':d=2.5:s=48000",
        ]
        + ["-map", "0:v", "-map", "1:a", "-c:v", "libx264", "-c:a", "aac"])
    try EditedLength.hideStart(source, ticks: 48_000 * 11 / 10)
    try EditedLength.end(source, at: 2.8)
    let made = try await convert(source)
    try await made.check()
    for path in [source, made.path] {
      let found = try await Command.run(
        "ffmpeg", ["-v", "info", "-nostats", "-i", path, "-af", "volumedetect", "-f", "null", "-"])
      let loudest = try #require(found.errorOutput.firstMatch(of: /max_volume: (-?[0-9.]+) dB/)?.1)
      #expect(try #require(Double(loudest)) < -60, "\(path)")
    }
    let starts = (
      try await presentedStart(source, stream: 1), try await presentedStart(made.path, stream: 1)
    )
    #expect(abs(try #require(starts.0) - (try #require(starts.1))) <= 0.022)
  }

  @Test("that lasts beyond the cap is found before anything is stored")
  func beyondTheCap() async throws {
    let source = try await thirty(lastStandingFor: 4500)
    try #require(try await lengthByMediainfo(source) > 300)
    for depth in [ProbeDepth.index, .packets] {
      let info = try await probe(source, depth: depth)
      #expect(abs(try #require(info.duration) - (try await lengthByMediainfo(source))) <= 0.001)
      let error = #expect(throws: HoldfastError.self) { try ConversionPlan(for: info) }
      #expect(error?.code == .overLimit)
    }
    let trimmed = try #require(try await convertParts(source, .trim).first)
    #expect(try await lengthByMediainfo(trimmed.path) <= 120.001)
  }

  @Test("lasts as long as the others if only the table says that it lasts longer")
  func lying() async throws {
    let source = try await thirty(lastStandingFor: 4500)
    var bytes = try Data(contentsOf: URL(filePath: source))
    let header = try #require(bytes.range(of: Data("mvhd".utf8))).upperBound
    bytes.replaceSubrange(header + 16..<header + 20, with: [0, 0, 0x07, 0xD0])
    try bytes.write(to: URL(filePath: source))
    #expect(abs(try #require(try await probe(source).duration) - 2) <= 0.001)
  }

  @Test("WMA, whose first packet gives no sound, is kept from 0 on")
  func beginningOfWMA() async throws {
    for codec in ["wmav2", "wmav1"] {
      let source = try await make(
        "\(codec).wma", ["-f", "lavfi", "-i", "sine=d=3:r=44100", "-c:a", codec])
      let made = try await convert(source)
      try await made.check()
      let start = try #require(try await FFprobe.format(made.path)?.startTime)
      #expect(abs(start) <= 0.0005)
    }
  }

  /// Thirty pictures in two seconds; the last one is shown as long as several others.
  private func thirty(
    reordered: String = "0", lastStandingFor count: Int
  ) async throws -> String {
    let even = try await make(
      "even.mp4",
      ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=15:d=2", "-bf", reordered])
    return try await make(
      "last.mp4",
      [
        "-i", even, "-c", "copy", "-bsf:v",
        "setts=pts=PTS:dts=DTS:duration=if(gte(N\\,29)\\,\(1024 * count)\\,1024)",
      ])
  }

  private func shownPictures(_ path: String) async throws -> Int {
    let answer = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-count_frames", "-select_streams", "v", "-show_entries",
        "stream=nb_read_frames", "-of", "csv=p=0", path,
      ])
    // A line ends with a comma where the stream has side data.
    return try #require(Int(answer.output.filter(\.isNumber)))
  }

  private func lengthByMediainfo(_ path: String) async throws -> Double {
    let answer = try await Command.output(of: "mediainfo", ["--Inform=Video;%Duration%", path])
    let text = answer.output.trimmingCharacters(in: .whitespacesAndNewlines)
    return try #require(Double(text)) / 1000
  }
}
