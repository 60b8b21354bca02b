import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A probe", .temporaryFolder)
struct ProbeTests {
  @Test(
    "measures the presented duration, whatever the header says",
    arguments: Extent.sample(accepted, every: 3))
  func measures(_ row: ManifestRow) async throws {
    let info = try await probe(Fixtures.path(row.path))
    let duration = try #require(info.duration)
    let tolerance = row.path.hasSuffix(".mp3") ? 0.15 : 0.05
    #expect(abs(duration - (try #require(row.duration))) <= tolerance)
    #expect(info.isMeasured)
    #expect(info.type?.rawValue == row.type)
    #expect((info.video != nil) == (row.type == "video"))
    let turn = info.videoStream?.picture?.orientation ?? .upright
    #expect(turn.clockwise == row.rotation)
    #expect(turn.isMirrored == (row.path == "mirrored.mov"))
  }

  @Test("agrees with ffprobe's packets", arguments: Extent.sample(accepted, every: 6))
  func agreesWithPackets(_ row: ManifestRow) async throws {
    let path = Fixtures.path(row.path)
    let info = try await probe(path)
    let kept = Set([info.video, info.audio].compactMap(\.self))
    let duration = try await FFprobe.presentedDuration(path, streams: kept)
    #expect(abs((info.duration ?? 0) - duration) <= (row.path.hasSuffix(".mp3") ? 0.15 : 0.05))
    let streams = try await FFprobe.streams(path)
    for stream in info.streams where [.video, .audio].contains(stream.kind) {
      let theirs = try #require(streams.first { $0.index == stream.index })
      #expect(stream.packets == theirs.packetCount)
      #expect(stream.decodes == true)
    }
  }

  @Test(
    "of the header alone measures nothing, and finds the same streams",
    arguments: Extent.sample(accepted, every: 3))
  func header(_ row: ManifestRow) async throws {
    let quick = try await probe(Fixtures.path(row.path), depth: .header)
    let whole = try await probe(Fixtures.path(row.path))
    #expect(!quick.isMeasured)
    #expect(quick.start == nil)
    #expect(quick.streams.allSatisfy { $0.packets == nil && $0.decodes == nil })
    #expect(quick.type == whole.type)
    #expect(quick.video == whole.video)
    #expect(quick.audio == whole.audio)
    #expect(quick.fileSize == whole.fileSize)
  }

  @Test("of the index agrees with the packets", arguments: Extent.sample(accepted, every: 3))
  func index(_ row: ManifestRow) async throws {
    let quick = try await probe(Fixtures.path(row.path), depth: .index)
    var whole = try await probe(Fixtures.path(row.path))
    // No picture was decoded.
    for position in whole.streams.indices
    where whole.streams[position].kind == .video && quick.streams[position].decodes == nil {
      whole.streams[position].decodes = nil
    }
    #expect(quick == whole)
  }

  @Test("of the index reads no more than the first picture, unless something is missing")
  func skims() async throws {
    let fixture = Fixtures.path("portrait.mov")
    var bytes = try Data(contentsOf: URL(filePath: fixture))
    let media = try #require(bytes.range(of: Data("mdat".utf8))).upperBound
    let index = try #require(bytes.range(of: Data("moov".utf8), options: .backwards)).lowerBound - 4
    let rest = (media + index) / 2..<index
    bytes.replaceSubrange(rest, with: Data(repeating: 0xFF, count: rest.count))
    let spoilt = "\(TemporaryFolder.current)/spoilt.mov"
    try bytes.write(to: URL(filePath: spoilt))
    #expect(try await probe(spoilt, depth: .index) == probe(fixture, depth: .index))
    #expect(try await probe(spoilt).videoStream?.copyObstacle != nil)
    let cut = Fixtures.path("truncated-faststart.mp4")
    let damaged = try await probe(cut, depth: .index)
    #expect(damaged.isDamaged)
    #expect(try await probe(cut) == damaged)
  }

  @Test("of the index tries the packets of a header that cannot be read")
  func unreadableHeader() async throws {
    var bytes = try Data(contentsOf: URL(filePath: Fixtures.path("hevc8.mp4")))
    // The length of the first parameter set in the box (ISO/IEC 14496-15, 8.3.3.1.2).
    let length = try #require(bytes.range(of: Data("hvcC".utf8))).upperBound + 26
    bytes.replaceSubrange(length..<length + 2, with: [0xFF, 0xFF])
    let broken = "\(TemporaryFolder.current)/broken.mp4"
    try bytes.write(to: URL(filePath: broken))
    let quick = await #expect(throws: HoldfastError.self) { try await probe(broken, depth: .index) }
    let whole = await #expect(throws: HoldfastError.self) { try await probe(broken) }
    #expect(quick == whole)
  }

  @Test("describes each stream as ffprobe does", arguments: Extent.sample(accepted, every: 6))
  func describes(_ row: ManifestRow) async throws {
    let path = Fixtures.path(row.path)
    let info = try await probe(path)
    let streams = try await FFprobe.streams(path)
    #expect(info.streams.count == streams.count)
    for (ours, theirs) in zip(info.streams, streams) {
      #expect(ours.index == theirs.index)
      #expect(ours.isDefault == theirs.isDefault)
      switch ours.kind {
      case .video, .picture:
        #expect(theirs.codecType == "video")
        #expect((ours.kind == .picture) == theirs.isAttachedPicture)
        try compare(ours, theirs)
      case .audio:
        #expect(theirs.codecType == "audio")
        #expect(ours.sound?.sampleRate == theirs.sampleRate)
        #expect(ours.sound?.channels == theirs.channels)
        #expect(ours.codec == theirs.codecName)
        // ffprobe prints a bare number for a profile that has no name.
        if let profile = ours.profile { #expect(profile == theirs.profile) }
      case .subtitle: #expect(theirs.codecType == "subtitle")
      case .data: #expect(theirs.codecType == "data")
      }
    }
  }

  private func compare(_ ours: StreamInfo, _ theirs: FFprobe.Stream) throws {
    let picture = try #require(ours.picture)
    #expect(ours.codec == theirs.codecName)
    if let profile = ours.profile { #expect(profile == theirs.profile) }
    #expect(picture.width == theirs.width)
    #expect(picture.height == theirs.height)
    #expect(picture.pixelFormat == theirs.pixelFormat)
    let ranges = ["smpte2084": PictureFormat.DynamicRange.pq, "arib-std-b67": .hlg]
    #expect(picture.dynamicRange == ranges[theirs.colorTransfer ?? ""] ?? .sdr)
    let aspect = "\(picture.pixelAspectWidth):\(picture.pixelAspectHeight)"
    #expect(aspect == theirs.sampleAspectRatio ?? "1:1")
    if ours.kind == .video {
      let rate = try #require(picture.frameRate)
      let rates = [theirs.frameRate, theirs.averageFrameRate].compactMap { $0.flatMap(ratio) }
      #expect(rates.contains { abs($0 - rate) < 0.01 })
    }
  }

  private func ratio(_ text: String) -> Double? {
    let parts = text.split(separator: "/").compactMap { Double($0) }
    return parts.count == 2 && parts[1] > 0 ? parts[0] / parts[1] : nil
  }

  @Test("chooses the default sound track, and names the other in a warning")
  func twoTracks() async throws {
    let info = try await probe(Fixtures.path("two-tracks.mkv"))
    let streams = try await FFprobe.streams(Fixtures.path("two-tracks.mkv"))
    let tracks = streams.filter { $0.codecType == "audio" }
    #expect(info.audio == tracks.first { $0.isDefault }?.index)
    let other = try #require(tracks.first { !$0.isDefault })
    #expect(info.warnings.contains { $0.contains("stream \(other.index)") })
  }

  @Test("treats cover art as a picture, not as a video")
  func cover() async throws {
    let info = try await probe(Fixtures.path("cover.mp3"))
    #expect(info.type == .audio)
    #expect(info.video == nil)
    #expect(info.streams.map(\.kind.rawValue).sorted() == ["audio", "picture"])
  }

  @Test("names the subtitles that are left out, and warns of a wrong header")
  func warnings() async throws {
    let subtitles = try await probe(Fixtures.path("data-track.mov"))
    #expect(subtitles.warnings.contains { $0.contains("subtitles (mov_text)") })
    let lying = try await probe(Fixtures.path("lying-header.mp4"))
    #expect(lying.warnings.contains { $0.contains("1000 s") && $0.contains("2 s") })
    let honest = try await probe(Fixtures.path("silent-video.mp4"))
    #expect(honest.warnings.isEmpty)
  }

  @Test(
    "recognises high dynamic range by its transfer function",
    arguments: [
      ("arib-std-b67", PictureFormat.DynamicRange.hlg), ("smpte2084", .pq), ("bt709", .sdr),
    ])
  func dynamicRange(_ transfer: String, _ range: PictureFormat.DynamicRange) async throws {
    try await withTemporaryFolder { folder in
      let path = folder + "/hdr.mov"
      _ = try await Command.output(
        of: "ffmpeg",
        [
          "-v", "error", "-f", "lavfi", "-i", "testsrc2=s=160x90:d=0.2:r=10", "-vf",
          "format=yuv420p10le,setparams=color_trc=\(transfer)"
            + ":color_primaries=bt2020:colorspace=bt2020nc",
          "-c:v", "libx265", "-color_trc", transfer, "-color_primaries", "bt2020",
          "-colorspace", "bt2020nc", "-x265-params", "log-level=error", path,
        ])
      let stream = try #require(try await FFprobe.streams(path).first)
      #expect(stream.colorTransfer == transfer)
      #expect(try await probe(path).videoStream?.picture?.dynamicRange == range)
    }
  }
}
