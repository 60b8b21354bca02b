import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("A stream that is copied", .temporaryFolder)
struct CopyTests {
  /// One tick of Matroska's clock, the coarsest of the copied fixtures.
  private static let tick = 0.00101

  @Test("is copied where the manifest says so", arguments: Extent.sample(accepted, every: 6))
  func treatment(_ row: ManifestRow) async throws {
    let info = try await probe(Fixtures.path(row.path))
    let plan = try ConversionPlan(for: info)
    let main = try #require(row.type == "video" ? plan.video : plan.audio)
    switch try #require(row.treatment) {
    case .copy:
      #expect(main.isCopied)
      #expect(plan.audio?.isCopied ?? true)
    case .encode: #expect(!main.isCopied)
    case .copyAndEncode:
      #expect(plan.video?.isCopied == true)
      #expect(plan.audio?.isCopied == false)
    }
  }

  @Test(
    "has the source's packets, byte for byte, at the same distances",
    arguments: Extent.sample(accepted, every: 6))
  func packets(_ row: ManifestRow) async throws {
    let made = try await convert(Fixtures.path(row.path))
    let streams = [made.plan.video, made.plan.audio].compactMap(\.self)
    for (index, stream) in streams.enumerated() where stream.isCopied {
      // Units that follow start codes follow their lengths in the copy.
      if row.path.hasSuffix(".ts"), stream == made.plan.video { continue }
      let isADTS = row.path.hasSuffix(".aac") || row.path.hasSuffix(".ts")
      var source =
        isADTS
        ? try await HashedPacket.withoutADTS(made.source, stream: stream.index)
        : try await HashedPacket.all(made.source, stream: stream.index)
      while source.last?.isShown == false { source.removeLast() }
      let copy = try await HashedPacket.all(made.path, stream: index)
      #expect(!copy.isEmpty)
      #expect(copy.map(\.hash) == source.map(\.hash))
      #expect(copy.map(\.isShown) == source.map(\.isShown))
      try compareTimes(copy, source)
    }
  }

  @Test("Copied sound has frames of exact length, even if the source counts in milliseconds")
  func frameLengths() async throws {
    let made = try await convert(Fixtures.path("two-tracks.mkv"))
    try #require(made.plan.audio?.isCopied == true)
    let source = try await distances(made.source, stream: #require(made.plan.audio).index)
    // Otherwise the source's clock would not have been too coarse.
    #expect(Set(source.map { Int($0 * 100_000) }).count > 1)
    let copy = try await distances(made.path, stream: 1)
    #expect(
      Set(copy.dropLast().map { (distance: Double) -> Double in (distance * 44_100).rounded() })
        == [1024])
    try await made.check()
  }

  @Test("that begins in the middle of a group of pictures says so")
  func beginning() async throws {
    let whole = try await make(
      "whole.mp4", ["-f", "lavfi", "-i", "testsrc2=s=160x90:r=15:d=3", "-g", "15"])
    let source = try await make(
      "middle.mp4",
      ["-i", whole, "-c", "copy", "-copyinkf", "-bsf:v", "noise=drop='eq(n,0)'"])
    let flags = try await HashedPacket.all(source, stream: 0).map(\.flags)
    try #require(flags.first?.contains("K") == false)
    let made = try await convert(source)
    try #require(made.plan.video?.isCopied == true)
    #expect(made.report.warnings.contains { $0.contains("its first picture is not a keyframe") })
    #expect(try await convert(whole).report.warnings == [])
  }

  /// The distances between a stream's packets, in seconds.
  private func distances(_ path: String, stream: Int) async throws -> [Double] {
    let times = try await HashedPacket.all(path, stream: stream).map { try #require($0.pts) }
    return zip(times.dropFirst(), times).map { $0 - $1 }
  }

  private func compareTimes(_ copy: [HashedPacket], _ source: [HashedPacket]) throws {
    let (zero, sourceZero) = (try #require(copy.first?.pts), try #require(source.first?.pts))
    for (ours, theirs) in zip(copy, source) {
      let (time, sourceTime) = (try #require(ours.pts), try #require(theirs.pts))
      #expect(abs((time - zero) - (sourceTime - sourceZero)) <= Self.tick)
    }
  }

  @Test(
    "starts at 0, with sound and picture as far apart as they were",
    arguments: Extent.sample(accepted.filter { $0.type == "video" }, every: 6))
  func offset(_ row: ManifestRow) async throws {
    let made = try await convert(Fixtures.path(row.path))
    let video = try #require(try await presentedStart(made.path, stream: 0))
    guard let plannedVideo = made.plan.video, let plannedAudio = made.plan.audio else {
      #expect(abs(video) <= Self.tick)
      return
    }
    let audio = try #require(try await presentedStart(made.path, stream: 1))
    #expect(abs(min(video, audio)) <= 0.02)
    let sourceVideo = try await presentedStart(made.source, stream: plannedVideo.index)
    let sourceAudio = try await presentedStart(made.source, stream: plannedAudio.index)
    let before = try #require(sourceAudio) - (try #require(sourceVideo))
    #expect(abs((audio - video) - before) <= 0.02)
  }

  @Test(
    "keeps its display matrix",
    arguments: Extent.sample(
      ["portrait.mov", "portrait270.mov", "rotated180.mov", "mirrored.mov"], every: 3))
  func matrix(_ name: String) async throws {
    let made = try await convert(Fixtures.path(name))
    let source = try #require(try await FFprobe.streams(made.source).first)
    let copy = try #require(try await FFprobe.streams(made.path).first)
    #expect(try linear(copy) == linear(source))
    #expect(copy.clockwiseTurn == source.clockwiseTurn)
    let mediainfo = try await rotationByMediainfo(made.path)
    #expect(mediainfo == (try await rotationByMediainfo(made.source)))
  }

  /// The matrix's four figures that rotate: the picture's position is up to the player.
  private func linear(_ stream: FFprobe.Stream) throws -> [Substring] {
    let rows = try #require(stream.displayMatrix).split(separator: "\n").map {
      $0.split(separator: " ").dropFirst()
    }
    #expect(rows.count == 3)
    return rows.prefix(2).flatMap { $0.prefix(2) }
  }

  private func rotationByMediainfo(_ path: String) async throws -> String {
    try await Command.output(of: "mediainfo", ["--Inform=Video;%Rotation%", path]).output
  }

  @Test("keeps the shape of its pixels")
  func anamorphic() async throws {
    let made = try await convert(Fixtures.path("anamorphic.mp4"))
    let stream = try #require(try await FFprobe.streams(made.path).first)
    #expect(stream.sampleAspectRatio == "4:3")
    #expect(stream.width == 160)
  }

  @Test("is tagged hvc1 if it is HEVC", arguments: ["hevc8.mp4", "hevc10.mov"])
  func hvc1(_ name: String) async throws {
    let made = try await convert(Fixtures.path(name))
    let stream = try #require(try await FFprobe.streams(made.path).first)
    #expect(stream.codecTag == "hvc1")
    let source = try #require(try await FFprobe.streams(made.source).first)
    #expect(stream.profile == source.profile)
    #expect(stream.pixelFormat == source.pixelFormat)
    let decoded = try await Command.output(
      of: "ffmpeg", ["-v", "error", "-xerror", "-i", made.path, "-f", "null", "-"])
    #expect(decoded.errorOutput.isEmpty)
  }

  @Test("keeps its variable frame rate")
  func variableRate() async throws {
    let made = try await convert(Fixtures.path("vfr.mp4"))
    let copy = try await HashedPacket.all(made.path, stream: 0)
    let times = copy.compactMap(\.pts).sorted()
    let gaps = Set(zip(times.dropFirst(), times).map { ($0 - $1).rounded(toPlaces: 3) })
    #expect(times.count == 38)
    #expect(gaps.count > 2)
    #expect(made.report.pictures == 38)
  }
}

extension Double {
  fileprivate func rounded(toPlaces places: Double) -> Double {
    let scale = pow(10, places)
    return (self * scale).rounded() / scale
  }
}
