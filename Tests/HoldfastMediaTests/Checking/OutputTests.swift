import Foundation
import Holdfast
import HoldfastModel
import HoldfastTestSupport
import HoldfastWorkerPool
import Synchronization
import Testing

@Suite("The output", .temporaryFolder)
struct OutputTests {
  private static let short = accepted.filter { !$0.path.hasPrefix("len") }
  private static let policies: [VideoPolicy] = [.auto, .h264]

  @Test(
    "has its index before its media, and nothing else", arguments: Extent.sample(short, every: 6),
    policies)
  func boxes(_ row: ManifestRow, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(row.path), policy: policy)
    let boxes = try MP4Boxes.topLevel(made.path).map(\.type).filter {
      !["free", "wide"].contains($0)
    }
    #expect(boxes == ["ftyp", "moov", "mdat"])
    #expect(made.path.hasSuffix(row.type == "video" ? ".mov" : ".m4a"))
    let brand = try FileHandle(forReadingFrom: URL(fileURLWithPath: made.path)).read(upToCount: 12)
    #expect(brand?.suffix(4) == Data((row.type == "video" ? "qt  " : "M4A ").utf8))
  }

  @Test("holds the planned streams alone", arguments: Extent.sample(short, every: 6), policies)
  func streams(_ row: ManifestRow, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(row.path), policy: policy)
    let kinds = try await FFprobe.streams(made.path).map(\.codecType)
    let planned = [made.plan.video.map { _ in "video" }, made.plan.audio.map { _ in "audio" }]
    #expect(kinds == planned.filter { $0 != nil })
    let handlers = try await Command.output(
      of: "exiftool", ["-ee", "-s3", "-HandlerType", "-a", made.path])
    for word in ["Time Code", "Text", "Subtitle"] {
      #expect(!handlers.output.contains(word))
    }
  }

  @Test(
    "names neither place nor device nor software", arguments: Extent.sample(short, every: 6),
    policies)
  func noTraces(_ row: ManifestRow, _ policy: VideoPolicy) async throws {
    let made = try await convert(Fixtures.path(row.path), policy: policy)
    #expect(try await Exif.hasLocationOrDevice(made.path).isEmpty)
    let tags = try await FFprobe.format(made.path)?.tags ?? [:]
    #expect(Set(tags.keys).isSubset(of: ["major_brand", "minor_version", "compatible_brands"]))
    let bytes = try Data(contentsOf: URL(fileURLWithPath: made.path))
    let moov = try #require(try MP4Boxes.topLevel(made.path).first { $0.type == "moov" })
    let index = bytes[Int(moov.offset)..<Int(moov.offset + moov.size)]
    for word in ["Apple", "iPhone", "+59.9", "Lavf", "Lavc", "encoder"] {
      #expect(index.range(of: Data(word.utf8)) == nil)
    }
  }

  @Test("has the given creation time", arguments: ["portrait.mov", "voice.ogg"])
  func creationTime(_ name: String) async throws {
    let moment = Date(timeIntervalSince1970: 1_761_399_720)
    let made = try await convert(Fixtures.path(name), creationTime: moment)
    let tags = try await Exif.tags(made.path)
    #expect(tags["QuickTime:CreateDate"] == "2025:10:25 13:42:00")
    #expect(tags["Track1:TrackCreateDate"] == "2025:10:25 13:42:00")
    #expect(try await probe(made.path).creation?.date == moment)
  }

  @Test("has no creation time if none was given")
  func noCreationTime() async throws {
    let made = try await convert(Fixtures.path("portrait.mov"))
    let tags = try await Exif.tags(made.path)
    #expect(tags["QuickTime:CreateDate"] == "0000:00:00 00:00:00")
    #expect(try await probe(made.path).creation == nil)
  }

  @Test("passes the engine's own check", arguments: Extent.sample(accepted, every: 6), policies)
  func check(_ row: ManifestRow, _ policy: VideoPolicy) async throws {
    if row.type == "audio", policy == .h264 { return }
    let made = try await convert(Fixtures.path(row.path), policy: policy)
    let report = try await made.check()
    let header = try await Command.output(
      of: "mediainfo", ["--Inform=General;%Duration%", made.path])
    let milliseconds = try #require(Double(header.output.filter { !$0.isWhitespace }))
    #expect(abs(report.duration - milliseconds / 1000) <= 0.05)
    let streams = try await FFprobe.streams(made.path)
    let picture = streams.first { $0.codecType == "video" }
    #expect(report.width == picture?.width)
    #expect(report.height == picture?.height)
    #expect(report.pictures == picture?.packetCount)
    var copied = 0
    let planned = [made.plan.video, made.plan.audio].compactMap { $0 }
    for (plan, stream) in zip(planned, streams) where plan.isCopied {
      copied += try #require(stream.packetCount)
    }
    #expect(report.packetsCompared == copied)
  }

  @Test("is written with progress that rises to 1", arguments: Extent.sample(short, every: 6))
  func progress(_ row: ManifestRow) async throws {
    let steps = Mutex<[Double]>([])
    _ = try await convert(
      Fixtures.path(row.path), progress: { share in steps.withLock { $0.append(share) } })
    let shares = steps.withLock { $0 }
    #expect(shares == shares.sorted())
    #expect(shares.last == 1)
    #expect(shares.allSatisfy { (0...1).contains($0) })
    // A worker reports at most 20 times a second, and these take less time.
    #expect(row.path == "one-picture.mp4" || engine is WorkerPool || shares.count > 2)
  }

  @Test(
    "lasts up to the cap and the encoders' padding",
    arguments: Extent.sample(["len-119.9.m4a", "len-120.05.m4a", "len-120.05.ogg"], every: 3))
  func atTheCap(_ name: String) async throws {
    let made = try await convert(Fixtures.path(name))
    let row = try #require(accepted.first { $0.path == name })
    let duration = try await FFprobe.presentedDuration(made.path)
    #expect(abs(duration - (try #require(row.duration))) <= 0.03)
  }

  @Test("does not exist if the source is over the cap")
  func overTheCap() async throws {
    let error = try #require(
      await #expect(throws: HoldfastError.self) { try await convert(Fixtures.path("len-121.m4a")) })
    #expect(error.code == .overLimit)
    #expect(error.reason == "121 s long; recordings may last 120 s")
  }

  @Test("The copy policy gives a copy or an error", arguments: Extent.sample(accepted, every: 6))
  func copyOnly(_ row: ManifestRow) async throws {
    guard row.type == "video", row.treatment == .encode else {
      let made = try await convert(Fixtures.path(row.path), policy: .copy)
      #expect(made.plan.video?.isCopied ?? true)
      return
    }
    let error = try #require(
      await #expect(throws: HoldfastError.self) {
        try await convert(Fixtures.path(row.path), policy: .copy)
      })
    #expect(error.code == .cannotCopy)
  }

  @Test("names the encoders and libraries that made it")
  func settings() async throws {
    let made = try await convert(Fixtures.path("prores.mov"))
    #expect(made.report.settings.first == "libx264 preset=medium crf=20 profile=high")
    #expect(made.report.settings.last?.hasPrefix("filters scale=160:90") == true)
    #expect(made.report.settings.count == 2)
    let version = try await Command.output(of: "ffmpeg", ["-version"]).output
    for (library, number) in made.report.versions {
      let parts = number.split(separator: ".").joined(separator: ".")
      let line = try #require(
        version.split(separator: "\n").first { $0.hasPrefix(library) })
      #expect(line.filter { $0 != " " }.contains(parts))
    }
    #expect(made.report.versions.count == 3)
  }
}
