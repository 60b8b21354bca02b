import Foundation
import HoldfastModel
import HoldfastTestSupport
import Testing

@Suite("Real files", .temporaryFolder, .enabled(if: Corpus.folder != nil))
struct CorpusTests {
  /// FFmpeg 7 decodes these, but FFmpeg 5.1 does not: IAMF, and fragments of WMA.
  private static let takenLater = [
    "audio/m4a/media__sample_iamf.mp4", "evil/encrypted/mp4ff__audio_dec.mp4",
  ]

  @Test(
    "are imported whole, or refused in one sentence",
    arguments: Extent.sample(Corpus.manifest, every: 10))
  func file(_ row: ManifestRow) async throws {
    let path = try #require(Corpus.path(row.path))
    do {
      let quick = try? await probe(path, depth: .index)
      let made = try await convert(path)
      #expect(quick?.duration == made.info.duration && quick?.start == made.info.start)
      #expect(quick?.isDamaged == made.info.isDamaged)
      if row.expect == .refuse, FFmpegRelease.major >= 7, Self.takenLater.contains(row.path) {
        try await made.check()
        return
      }
      if row.expect == .refuse {
        Issue.record("it was accepted: \(made.plan)")
        return
      }
      let report = try await made.check()
      #expect(try await Exif.hasLocationOrDevice(made.path).isEmpty)
      let info = try await probe(made.path)
      #expect(info.type == made.plan.type)
      if made.plan.type == .video {
        let (size, thumbnail) = try await thumbnail(made.path)
        let (width, height) = try await JPEGFile.dimensions(thumbnail)
        #expect(size.size == PictureSize(width: width, height: height))
      }
      guard row.expect == .accept else { return }
      #expect(made.plan.type.rawValue == row.type)
      if let duration = row.duration { #expect(abs(report.duration - duration) <= 0.15) }
    } catch let error as HoldfastError {
      #expect(row.expect != .accept, "\(error)")
      // Files that decode to nonsense may fail in the encoder; other files must fail earlier.
      #expect(error.code != .library || row.expect == .either, "\(error)")
      #expect(!error.reason.isEmpty && !error.reason.contains("\n"))
    }
  }
}
