import Foundation
import HoldfastTestSupport
import Testing

/// `--move` removed sources although the library held less of them: a 5.1 FLAC became stereo, a
/// wide AVI was scaled down, HDR became SDR, spatial and 360° descriptions were dropped. It also
/// kept undamaged sources as damaged: those with a longer metadata track or an initial empty edit.
@Suite("Losses for which a move keeps the source", .temporaryFolder)
struct MoveLossTests {
  let library = LibraryFolder()

  private func ffmpeg(_ arguments: [String], _ name: String) async throws -> String {
    let path = temporary(name)
    _ = try await Command.output(of: "ffmpeg", ["-v", "error", "-y"] + arguments + [path])
    return path
  }

  private static func pictures(_ size: String, _ filters: String? = nil) -> [String] {
    ["-f", "lavfi", "-i", "testsrc2=size=\(size):rate=5:duration=1"]
      + (filters.map { ["-vf", $0] } ?? [])
  }

  private static func sound(_ options: String = "sample_rate=48000") -> [String] {
    ["-f", "lavfi", "-i", "sine=duration=1:\(options)"]
  }

  private static let hlg =
    "format=yuv420p10le,setparams=color_primaries=bt2020:color_trc=arib-std-b67:colorspace=bt2020nc"
  private static let hevc = [
    "-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1",
  ]

  /// Moves a source.
  ///
  /// - Returns: The reason why it stays; `nil` if it was removed.
  private func move(_ path: String, _ options: [String] = []) async throws -> String? {
    let before = try await sha256(of: path)
    let result = try await library.holdfast(["import", "--move", "--json"] + options + [path])
    #expect(result.status == 0, "\(result.errorOutput)")
    let line = try #require(try ImportLine.lines(of: result).first)
    #expect(line.event == "imported", "\(line.error ?? "")")
    let isThere = FileManager.default.fileExists(atPath: path)
    #expect(line.moved == .source(!isThere))
    #expect(line.code == (isThere ? "notWhole" : nil))
    if isThere { #expect(try await sha256(of: path) == before) }
    return line.stays
  }

  /// An encoded source, and its ffmpeg arguments.
  struct Encoded: CustomTestStringConvertible, Sendable {
    let name: String
    let arguments: [String]
    /// How it is imported.
    var options: [String] = []
    /// The reason why it stays; `nil` if it does not.
    let reason: String?
    var testDescription: String { name }

    static let all = [
      Encoded(
        name: "six.flac",
        arguments: sound() + ["-af", "pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0"],
        reason: "its sound has 6 channels, and 2 in the library"),
      Encoded(
        name: "fast.wav", arguments: sound("sample_rate=96000"),
        reason: "its sound has 96000 samples a second, and 48000 in the library"),
      Encoded(
        name: "deep.flac", arguments: sound() + ["-sample_fmt", "s32"],
        reason: "its sound has 24 bits a sample, and no more than 16 in the library"),
      Encoded(
        name: "kept.flac", arguments: sound("sample_rate=96000") + ["-sample_fmt", "s32"],
        options: ["--audio", "alac"], reason: nil),
      Encoded(
        name: "kept.wav", arguments: sound() + ["-c:a", "pcm_s24le"],
        options: ["--audio", "alac"], reason: nil),
      Encoded(
        name: "float.wav", arguments: sound() + ["-c:a", "pcm_f32le"],
        options: ["--audio", "alac"],
        reason: "its sound has 32 bits a sample, and no more than 24 in the library"),
      Encoded(
        name: "six.wav",
        arguments: sound() + ["-af", "pan=5.1|FL=c0|FR=c0|FC=c0|LFE=c0|BL=c0|BR=c0"],
        options: ["--audio", "alac"],
        reason: "its sound has 6 channels, and 2 in the library"),
      Encoded(
        name: "asked.m4a", arguments: sound() + ["-c:a", "alac", "-sample_fmt", "s32p"],
        options: ["--audio", "aac"],
        reason: "its sound has 24 bits a sample, and no more than 16 in the library"),
      Encoded(
        name: "wide.avi", arguments: pictures("5000x60") + ["-c:v", "mjpeg"],
        reason: "its pictures are up to 5000 wide and 60 high, and 4096 × 48 in the library"),
      Encoded(
        name: "odd.webm", arguments: ["-i", Fixtures.path("odd.webm"), "-c", "copy"],
        reason: "its pictures are up to 161 wide and 121 high, and 160 × 120 in the library"),
      Encoded(
        name: "hlg.mov",
        arguments: pictures("160x90", hlg) + ["-c:v", "prores_ks", "-profile:v", "hq"],
        reason: nil),
      Encoded(
        name: "sdr.mov",
        arguments: pictures("160x90", hlg) + ["-c:v", "prores_ks", "-profile:v", "hq"],
        options: ["--video", "h264"],
        reason: "its picture has 10 bits a sample, and 8 in the library; its high dynamic range "
          + "(HLG) is not in the library"),
      Encoded(
        name: "gamut.mkv",
        arguments: pictures("160x90", "format=yuv444p,setparams=color_primaries=smpte432")
          + ["-c:v", "libx264"],
        reason: "its wide range of colours is not in the library"),
      // With the same shape, an encode does not keep its source.
      Encoded(name: "plain.flac", arguments: sound() + ["-sample_fmt", "s16"], reason: nil),
      Encoded(
        name: "full.avi", arguments: pictures("160x90", "format=yuvj422p") + ["-c:v", "mjpeg"],
        reason: nil),
      Encoded(
        name: "anamorphic.avi",
        arguments: pictures("160x120", "setsar=4/3") + ["-c:v", "mpeg4"], reason: nil),
    ]

    private static let hlg = MoveLossTests.hlg.replacing("420p10le", with: "422p10le")
    private static func sound(_ options: String = "sample_rate=48000") -> [String] {
      MoveLossTests.sound(options)
    }
    private static func pictures(_ size: String, _ filters: String? = nil) -> [String] {
      MoveLossTests.pictures(size, filters)
    }
  }

  @Test(
    "A source whose encode loses something stays, and the reason says what",
    arguments: Extent.sample(Encoded.all, every: 3))
  func encoded(_ source: Encoded) async throws {
    let path = try await ffmpeg(source.arguments, source.name)
    #expect(try await move(path, source.options) == source.reason)
  }

  @Test("Larger pictures that follow smaller ones count as a loss too")
  func growing() async throws {
    for (name, size) in [("small.mp4", "160x90"), ("large.mp4", "320x180")] {
      _ = try await ffmpeg(Self.pictures(size) + ["-c:v", "libx264"], name)
    }
    let list = temporary("list")
    try Data("file small.mp4\nfile large.mp4\n".utf8).write(to: URL(filePath: list))
    let path = try await ffmpeg(["-f", "concat", "-i", list, "-c", "copy"], "growing.ts")
    #expect(
      try await move(path)
        == "its pictures are up to 320 wide and 180 high, and 160 × 90 in the library")
  }

  @Test("A source stays if a copy drops its spatial description, and a note says so; 360° is kept")
  func descriptions() async throws {
    let plain = try await ffmpeg(Self.pictures("160x90") + Self.hevc, "plain.mov")
    let (spatial, spherical) = (temporary("spatial.mov"), temporary("spherical.mov"))
    try SampleEntryBox.insert(SampleEntryBox.spatial, into: plain, as: spatial)
    try SampleEntryBox.insert(SampleEntryBox.spherical, into: plain, as: spherical)
    // FFmpeg 7 writes two of the boxes itself.
    let lost = FFmpegRelease.major < 7 ? "lhvC, vexu, hfov" : "lhvC"
    let words = "its spatial description (\(lost)) is not in the library"
    #expect(try await move(spatial) == words)
    let notes = try await library.column(
      "SELECT json_extract(conversion, '$.warnings') FROM recording")
    #expect(notes == ["[\"\(words)\"]"])
    #expect(try await move(spherical) == nil)
    let around = try await library.find("-name", "*.mov").map { "\(library.path)/\($0)" }
      .filter { try Data(contentsOf: URL(filePath: $0)).range(of: Data("sv3d".utf8)) != nil }
    let answer = try await Command.output(
      of: "ffprobe",
      [
        "-v", "error", "-show_entries", "stream=codec_tag_string:stream_side_data", "-of",
        "default=nk=1", try #require(around.first),
      ])
    for part in ["hvc1", "equirectangular"] { #expect(answer.output.contains(part)) }
    // One eye above the other. FFmpeg 7 reads a box of its own instead of this one.
    let bytes = try Data(contentsOf: URL(filePath: around[0]))
    let stereo = try #require(bytes.range(of: Data("st3d".utf8))).upperBound
    #expect(Array(bytes[stereo..<stereo + 5]) == [0, 0, 0, 0, 1])
    // It has the same packets, and nothing is dropped.
    #expect(try await move(plain) == nil)
    let conversions = try await library.column("SELECT conversion FROM recording")
    #expect(conversions.allSatisfy { !$0.contains("encodedBecause") })
  }

  @Test("A source is removed if a copy keeps its high dynamic range")
  func dynamicRange() async throws {
    let hlg = try await ffmpeg(Self.pictures("160x90", Self.hlg) + Self.hevc, "hlg.mov")
    let dolbyVision = temporary("dolby-vision.mov")
    try SampleEntryBox.insert(
      SampleEntryBox.dolbyVision(profile: 8, compatibility: 4), into: hlg, as: dolbyVision)
    #expect(try await move(hlg) == nil)
    #expect(try await move(dolbyVision) == nil)
    let box = try await library.find("-name", "*.mov").map { "\(library.path)/\($0)" }
      .filter { try Data(contentsOf: URL(filePath: $0)).range(of: Data("dvvC".utf8)) != nil }
    #expect(box.count == 1)
  }

  @Test(
    "A clip that was trimmed on an iPhone is moved, because its Dolby Vision is kept",
    .enabled(if: Corpus.folder != nil))
  func trimmedOnPhone() async throws {
    let clip = try #require(Corpus.path("video/iphone/media__sample_edit_list.mp4"))
    let path = temporary("trimmed.mp4")
    try Data(contentsOf: URL(filePath: clip)).write(to: URL(filePath: path))
    #expect(try await move(path) == nil)
    let encoded = temporary("encoded.mp4")
    // Another file: an empty box follows.
    let box = Data([0, 0, 0, 8]) + Data("free".utf8)
    try (Data(contentsOf: URL(filePath: clip)) + box).write(to: URL(filePath: encoded))
    let reason = try #require(try await move(encoded, ["--max-height", "480"]))
    #expect(reason.contains("its dynamic range description (Dolby Vision) is not in the library"))
  }

  @Test("A second sound track of an unknown codec counts as left out, not as damage")
  func unknownSound() async throws {
    let tracks = Self.pictures("160x90") + Self.sound() + ["-f", "lavfi", "-i", "sine=duration=4"]
    let path = try await ffmpeg(
      tracks + ["-map", "0", "-map", "1", "-map", "2", "-c:v", "libx264", "-c:a", "aac"],
      "spatial-sound.mp4")
    // Only the second sound track's codes identify it as AAC.
    var bytes = try Data(contentsOf: URL(filePath: path))
    for (code, other) in [("mp4a", "apac"), ("esds", "dapa")] {
      let place = try #require(bytes.range(of: Data(code.utf8), options: .backwards))
      bytes.replaceSubrange(place, with: Data(other.utf8))
    }
    try bytes.write(to: URL(filePath: path))
    let result = try await library.holdfast("import", "--move", path)
    #expect(result.status == 0)
    #expect(
      result.errorLines.suffix(2) == [
        "  note: spatial-sound.mp4: an audio track (apac, stream 2) cannot be decoded and is left "
          + "out",
        "  kept: spatial-sound.mp4: its second audio track is not in the library",
      ])
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("A longer metadata track or an initial empty edit is not damage, and the source is removed")
  func longerThanItsPictures() async throws {
    let subtitles = temporary("subtitles.srt")
    try Data("1\n00:00:00,000 --> 00:00:09,000\nwords\n".utf8).write(to: URL(filePath: subtitles))
    let tracks = Self.pictures("160x90") + Self.sound()
    let codecs = ["-c:v", "libx264", "-c:a", "aac"]
    let metadata = try await ffmpeg(
      tracks + ["-i", subtitles, "-map", "0", "-map", "1", "-map", "2"] + codecs
        + ["-c:s", "mov_text"], "metadata.mov")
    // A track of text becomes one of timed metadata by its handler and its codec.
    var bytes = try Data(contentsOf: URL(filePath: metadata))
    for (code, other) in [("mhlrtext", "mhlrmeta"), ("@text", "@mebx")] {
      let place = try #require(bytes.range(of: Data(code.utf8)))
      bytes.replaceSubrange(place, with: Data(other.utf8))
    }
    try bytes.write(to: URL(filePath: metadata))
    let late = try await ffmpeg(tracks + ["-output_ts_offset", "3"] + codecs, "late.mov")
    for path in [metadata, late] {
      // In milliseconds, of the whole file.
      let length = try await Command.output(of: "mediainfo", ["--Inform=General;%Duration%", path])
      #expect((Double(length.output.trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0) > 3000)
      #expect(try await move(path) == nil)
    }
    let warnings = try await library.column("SELECT conversion ->> '$.warnings' FROM recording")
    #expect(warnings == ["[]", "[]"])
    try await library.expectSound()
  }
}
