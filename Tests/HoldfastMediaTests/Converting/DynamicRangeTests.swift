import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Colours beyond a standard screen", .temporaryFolder, .notInSample)
struct DynamicRangeTests {
  /// A way in which such pictures are stored.
  struct Storage: Sendable, CustomTestStringConvertible {
    var name: String
    var transfer: String
    var options: [String]
    var format = "yuv420p10le"
    /// Filters that give the pattern an odd shape.
    var shape = "null"
    var size = "320x180"
    var range = "tv"
    var matrix = "bt2020nc"
    var primaries = "bt2020"
    /// Filters that first give an odd picture even sides.
    var evening = "null"
    /// How much colour the pattern has.
    var saturation = Zimg.saturation
    var testDescription: String { name }

    /// Makes a short clip: a test pattern, with tags that match its values. Encoders follow the
    /// frames' tags from FFmpeg 7 on, and the options before.
    func clip() async throws -> String {
      try await make(
        name,
        [
          "-f", "lavfi", "-i", "testsrc2=s=\(size):r=10:d=0.3,hue=s=\(saturation)", "-vf",
          "\(shape),format=\(format),setparams=color_primaries=\(primaries):color_trc=\(transfer)"
            + ":colorspace=\(matrix == "rgb" ? "gbr" : matrix):range=\(range)",
        ] + options + [
          "-color_primaries", primaries, "-color_trc", transfer, "-colorspace", matrix,
          "-color_range", range,
        ])
    }

    /// ffmpeg's own conversion to a standard screen's colours.
    var onScreen: String {
      canonical.replacing("m=bt709:r=tv,format=yuv420p", with: "m=gbr:r=pc,format=gbrp")
    }

    /// ffmpeg's own conversion to standard range, as video.
    var canonical: String {
      "\(evening),setparams=color_primaries=bt2020:color_trc=\(transfer)"
        + ":colorspace=\(["unknown": "bt2020nc", "rgb": "gbr"][matrix] ?? matrix):range=\(range),"
        + "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
        + "tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    }
  }

  private static let x265 = ["-c:v", "libx265", "-crf", "20", "-tag:v", "hvc1", "-x265-params"]
  private static let highKinds = [
    Storage(
      name: "hlg.mov", transfer: "arib-std-b67",
      options: x265 + ["log-level=none"]),
    Storage(
      name: "pq.mov", transfer: "smpte2084",
      options: x265 + ["log-level=none"]),
    // A peak of 1 nit, and one of 0: with either, everything would be far too bright, or black.
    Storage(
      name: "lying-peak.mov", transfer: "smpte2084",
      options: x265 + [
        "log-level=none:max-cll=1,1"
          + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(1,1)"
      ]),
    Storage(
      name: "vp9.webm", transfer: "smpte2084",
      options: ["-c:v", "libvpx-vp9", "-crf", "10", "-b:v", "0"]),
    Storage(
      name: "av1.mp4", transfer: "arib-std-b67",
      options: ["-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "20"]),
    Storage(
      name: "eight-bits.mov", transfer: "arib-std-b67",
      options: ["-c:v", "libx264", "-crf", "16"], format: "yuv420p"),
    Storage(
      name: "full-range.mov", transfer: "arib-std-b67",
      options: x265 + ["log-level=none"], range: "pc"),
    Storage(
      name: "unspecified.mkv", transfer: "smpte2084",
      options: ["-c:v", "ffv1"], matrix: "unknown",
      primaries: "unknown"),
    Storage(
      name: "odd.mkv", transfer: "arib-std-b67",
      options: ["-c:v", "ffv1"], size: "321x181",
      evening: "crop=320:180:0:0:exact=1"),
    Storage(
      name: "narrow.mkv", transfer: "smpte2084",
      options: ["-c:v", "ffv1"], format: "gbrp16le", shape: "scale=1:64,setsar=1", size: "64x64",
      range: "pc", matrix: "rgb", evening: "pad=2:64"),
  ]

  @Test(
    "are tone-mapped as ffmpeg does it, in an encode and in a thumbnail",
    arguments: Extent.sample(highKinds, every: 6))
  func toneMapped(_ kind: Storage) async throws {
    let source = try await kind.clip()
    #expect(try await videoFields("color_transfer", of: source) == kind.transfer)
    let made = try await convert(source, policy: .h264)
    try await made.check()
    let tags = try await videoFields(
      "pix_fmt,color_range,color_space,color_transfer,color_primaries", of: made.path)
    #expect(tags == "yuv420p,tv,bt709,bt709,bt709")
    #expect(made.report.warnings.isEmpty)
    let picture = try await thumbnail(source).path
    if kind.name == "narrow.mkv" {
      // Too small for ssim, and for JPEG's blocks.
      let reference = try await samples(source, filters: kind.canonical)
      #expect(try distance(try await samples(made.path), reference) < 6)
      #expect(try distance(try await samples(picture), reference) < 16)
      return
    }
    // Video range has room above white, which an encode does not use.
    let limited = kind.canonical + ",limiter=min=16:max=235:planes=1"
    #expect(try await likeness(made.path, to: source, limited) >= 0.97)
    #expect(try await likeness(ofThumbnail: picture, to: source, kind.onScreen) >= 0.95)
  }

  @Test(
    "of standard brightness keep it, and change only their primaries",
    arguments: Extent.sample(["smpte432", "bt2020", "smpte431"], every: 6),
    ["yuv420p10le", "yuv420p"])
  func wideGamut(_ primaries: String, _ format: String) async throws {
    let matrix = primaries == "bt2020" ? "bt2020nc" : "bt709"
    let source = try await Storage(
      name: "wide.mov", transfer: "bt709",
      options: Self.x265 + ["log-level=none"], format: format, matrix: matrix,
      primaries: primaries, saturation: "0.6"
    ).clip()
    let made = try await convert(source, policy: .h264)
    let reference = "zscale=p=bt709:t=bt709:m=bt709:r=tv,format=yuv420p"
    #expect(try await likeness(made.path, to: source, reference) >= 0.97)
    let picture = try await thumbnail(source).path
    #expect(try await likeness(ofThumbnail: picture, to: source, reference) >= 0.95)
    let (ours, theirs) = (
      try await samples(made.path, filters: "scale=in_color_matrix=bt709"),
      try await samples(source, filters: reference + ",scale=in_color_matrix=bt709")
    )
    #expect(try distance(ours, theirs) < 4)
    let untouched = try await samples(
      source, filters: "scale=in_color_matrix=\(matrix == "bt709" ? "bt709" : "bt2020")")
    #expect(try distance(ours, untouched) > 4)
  }

  @Test("that only Dolby's players can show get a warning; those with a base layer do not")
  func profileFive() async throws {
    let source = try await Self.highKinds[0].clip()
    for (profile, compatibility) in [(5, 0), (8, 4)] {
      let file = newPath("mov")
      try SampleEntryBox.insert(
        SampleEntryBox.dolbyVision(profile: profile, compatibility: compatibility), into: source,
        as: file)
      let made = try await convert(file, policy: .h264)
      #expect(made.report.warnings.contains { $0.contains("Dolby Vision") } == (profile == 5))
    }
  }

  @Test("are kept by a copy, with all tags")
  func copied() async throws {
    let source = try await Storage(
      name: "static.mp4", transfer: "smpte2084",
      options: Self.x265 + [
        "log-level=none:max-cll=1000,400"
          + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)"
          + "L(10000000,50)"
      ]
    ).clip()
    let made = try await convert(source)
    #expect(made.plan.video?.isCopied == true)
    let names = "color_range,color_space,color_transfer,color_primaries"
    #expect(
      try await videoFields(names, of: made.path)
        == "tv,bt2020nc,smpte2084,bt2020")
    let mediainfo = try await Command.output(
      of: "mediainfo",
      [
        "--Inform=Video;%HDR_Format/String%|%MasteringDisplay_Luminance%|%MaxCLL%|%MaxFALL%",
        made.path,
      ]
    ).output
    for word in ["SMPTE ST 2086", "1000 cd/m2", "400 cd/m2"] { #expect(mediainfo.contains(word)) }
  }

  @Test("of Dolby Vision are kept by a copy in its own box", arguments: [8, 5])
  func dolbyVision(_ profile: Int) async throws {
    let heard = try await make(
      "heard.mov",
      ["-i", try await Self.highKinds[0].clip(), "-f", "lavfi", "-i", "sine=d=0.3:r=48000"]
        + ["-c:v", "copy", "-tag:v", "hvc1", "-c:a", "aac"])
    let source = newPath("mov")
    try SampleEntryBox.insert(
      SampleEntryBox.dolbyVision(profile: profile, compatibility: profile == 8 ? 4 : 0),
      into: heard, as: source)
    let made = try await convert(source)
    #expect(made.plan.video?.isCopied == true)
    #expect(made.plan.audio?.isCopied == true)
    try await made.check()
    let boxes = try MP4Boxes.topLevel(made.path).map(\.type).filter { $0 != "free" }
    #expect(boxes == ["ftyp", "moov", "mdat"])
    let names = "codec_tag_string,color_range,color_space,color_transfer,color_primaries"
    #expect(
      try await videoFields(names, of: made.path)
        .hasPrefix("\(profile == 5 ? "dvh1" : "hvc1"),tv,bt2020nc,arib-std-b67,bt2020"))
    for path in [source, made.path] {
      let record = try await Command.output(
        of: "ffprobe",
        [
          "-v", "error", "-of", "csv=p=0", "-show_entries",
          "stream_side_data=dv_profile,dv_level,rpu_present_flag,dv_bl_signal_compatibility_id",
          path,
        ]
      ).output.filter { !$0.isWhitespace }
      #expect(record == (profile == 8 ? "8,4,1,4" : "5,4,1,0"))
    }
    let mediainfo = try await Command.output(
      of: "mediainfo", ["--Inform=Video;%HDR_Format%|%transfer_characteristics%", made.path])
    #expect(mediainfo.output.contains("Dolby Vision"))
    #expect(mediainfo.output.contains("HLG"))
    let tags = try await Exif.tags(made.path)
    #expect(tags["QuickTime:MajorBrand"]?.contains("QuickTime") == true)
    #expect(tags["Track1:TransferCharacteristics"]?.contains("HLG") == true)
    #expect(try await Exif.hasLocationOrDevice(made.path).isEmpty)
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-xerror", "-i", made.path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
  }

  @Test(
    "of real phones are tone-mapped as ffmpeg does it",
    .enabled(if: Corpus.folder != nil, "there is no corpus"),
    arguments: Extent.sample(
      [
        "video/iphone/media__dolbyVision-hdr.MOV", "video/iphone/media__sample_edit_list.mp4",
        "video/android/media__hdr10-av1.mp4", "video/mkv_webm/OpenImageIO__vp9_rec2100_pq.mkv",
        "video/mp4/media__sample_with_it35_track.mp4",
      ], every: 5))
  func real(_ name: String) async throws {
    let source = try #require(Corpus.path(name))
    let canonical =
      "zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,"
      + "tonemap=hable:desat=0:peak=10,zscale=t=bt709:m=bt709:r=tv,format=yuv420p"
    let made = try await convert(source, policy: .h264)
    #expect(try await likeness(made.path, to: source, canonical) >= 0.97)
    let (report, picture) = try await thumbnail(source, ThumbnailJob(seconds: 0))
    #expect(abs((report.choice?.time ?? .nan)) < 0.001)
    #expect(try await likeness(ofThumbnail: picture, to: source, canonical) >= 0.95)
  }
}
