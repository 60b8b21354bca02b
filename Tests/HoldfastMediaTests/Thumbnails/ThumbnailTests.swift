import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A thumbnail", .temporaryFolder)
struct ThumbnailTests {
  @Test(
    "is a JPEG of the picture as it is seen, never scaled up",
    arguments: Extent.sample(videos, every: 3))
  func size(_ name: String) async throws {
    let (report, path) = try await thumbnail(Fixtures.path(name))
    let shown = try #require(
      try await probe(Fixtures.path(name)).videoStream?.picture?.displaySize)
    let (width, height) = try await JPEGFile.dimensions(path)
    #expect(PictureSize(width: width, height: height) == shown.even)
    #expect(report.size == PictureSize(width: width, height: height))
    let bytes = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int
    #expect(report.bytes == bytes)
  }

  @Test(
    "has a long side of 480 if the picture is larger",
    arguments: [
      ("1280x720", 480, 270), ("720x1280", 270, 480), ("1000x1000", 480, 480), ("482x20", 480, 20),
    ])
  func scaled(_ size: String, _ width: Int, _ height: Int) async throws {
    let source = try await make(
      "large.mov", ["-f", "lavfi", "-i", "testsrc2=s=\(size):d=0.2", "-pix_fmt", "yuv420p"])
    let (found, foundHeight) = try await JPEGFile.dimensions(try await thumbnail(source).path)
    #expect(found == width)
    #expect(foundHeight == height)
  }

  @Test(
    "is upright and not mirrored",
    arguments: [
      ("silent-video.mp4", Corner.topLeft), ("portrait.mov", .topRight),
      ("rotated180.mov", .bottomRight), ("portrait270.mov", .bottomLeft),
      ("mirrored.mov", .topRight),
    ])
  func upright(_ name: String, _ corner: Corner) async throws {
    let picture = try await JPEGFile.picture(try await thumbnail(Fixtures.path(name)).path)
    #expect(Corner.marked(in: picture) == [corner])
  }

  @Test("has square pixels: 160 by 120 of 4:3 are 213 wide, less one for 4:2:0")
  func squarePixels() async throws {
    let (width, height) = try await JPEGFile.dimensions(
      try await thumbnail(Fixtures.path("anamorphic.mp4")).path)
    #expect(width == 212)
    #expect(height == 120)
  }

  @Test("contains no metadata but its own shape", arguments: ["portrait.mov", "hevc10.mov"])
  func noMetadata(_ name: String) async throws {
    let path = try await thumbnail(Fixtures.path(name)).path
    let groups = Set(
      try await Exif.tags(path).keys.map { String($0.prefix { $0 != ":" }) })
    #expect(
      groups.isSubset(of: ["SourceFile", "ExifTool", "System", "File", "JFIF", "Composite"]))
    #expect(groups.contains("JFIF"))
    let bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(segments(bytes).allSatisfy { ![0xE1, 0xE2, 0xED, 0xEE, 0xFE].contains($0.marker) })
  }

  @Test("has the requested quality", arguments: Extent.sample([80, 50, 95], every: 3))
  func quality(_ quality: Int) async throws {
    let (_, path) = try await thumbnail(
      Fixtures.path("portrait.mov"), ThumbnailJob(quality: quality))
    let pnm = newPath("pnm")
    _ = try await Command.output(of: "djpeg", ["-pnm", "-outfile", pnm, path])
    let again = newPath("jpg")
    _ = try await Command.output(
      of: "cjpeg", ["-quality", "\(quality)", "-outfile", again, pnm])
    let ours = segments(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
    let theirs = segments(Array(try Data(contentsOf: URL(fileURLWithPath: again))))
    let tables = ours.filter { $0.marker == 0xDB }.map(\.bytes)
    #expect(!tables.isEmpty)
    #expect(tables == theirs.filter { $0.marker == 0xDB }.map(\.bytes))
  }

  @Test(
    "of each fixture shows the last keyframe within a second",
    // Seeking in AVI uses its index, which leads to an earlier keyframe.
    arguments: videos.filter { !$0.hasSuffix(".avi") })
  func chosen(_ name: String) async throws {
    let path = Fixtures.path(name)
    let index = try #require(try await probe(path).video)
    let packets = try await HashedPacket.all(path, stream: index)
    let times = packets.compactMap { $0.pts ?? $0.dts }
    let start = try #require(times.min())
    let keyframes = packets.filter { $0.flags.contains("K") }.compactMap { $0.pts ?? $0.dts }
    let expected = try #require(keyframes.map { $0 - start }.filter { $0 <= 1.0001 }.max())
    let report = try await thumbnail(path).report
    #expect(abs((report.choice?.time ?? .nan) - expected) < 0.002)
  }

  @Test(
    "of a heavily compressed picture is like ffmpeg's, in any size",
    arguments: Extent.sample(
      [("1920x1080", "libx264"), ("1920x1080", "libx265"), ("640x360", "libx264")], every: 3))
  func blocks(_ size: String, _ codec: String) async throws {
    let source = try await make(
      "blocks.mp4",
      [
        "-f", "lavfi", "-i", "mandelbrot=s=\(size):r=10", "-frames:v", "2", "-c:v", codec, "-crf",
        "40", "-pix_fmt", "yuv420p", "-colorspace", "bt709",
      ])
    let path = try await thumbnail(source, ThumbnailJob(quality: 95)).path
    let alike = try await likeness(ofThumbnail: path, to: source, "trim=end_frame=1")
    #expect(alike >= 0.99)
  }

  @Test(
    "of sound alone is refused",
    arguments: Extent.sample(["voice.ogg", "cover.mp3", "audio-only.mp4"], every: 3))
  func sound(_ name: String) async throws {
    let error = try await #require(throws: HoldfastError.self) {
      try await thumbnail(Fixtures.path(name))
    }
    #expect(error.code == .nothingToPlay)
  }

  /// The segments of a JPEG file before its picture.
  ///
  /// - SeeAlso: ITU-T T.81, B.1.1.4.
  private func segments(_ bytes: [UInt8]) -> [(marker: UInt8, bytes: [UInt8])] {
    var segments: [(marker: UInt8, bytes: [UInt8])] = []
    var position = 2
    while position + 4 <= bytes.count, bytes[position] == 0xFF, bytes[position + 1] != 0xDA {
      let size = Int(bytes[position + 2]) << 8 | Int(bytes[position + 3])
      let end = min(bytes.count, position + 2 + size)
      segments.append((bytes[position + 1], Array(bytes[min(position + 4, end)..<end])))
      position = end
    }
    return segments
  }
}
