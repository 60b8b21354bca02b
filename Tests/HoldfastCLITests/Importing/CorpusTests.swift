import Foundation
import HoldfastTestSupport
import Testing

@Suite(
  "The corpus through the command", .temporaryFolder,
  .enabled(if: Corpus.folder != nil, "there is no corpus"))
struct CorpusTests {
  let library = LibraryFolder()
  /// Files to import, and files that may be refused: some of both in any sample.
  private static let takeable = Extent.sample(
    Corpus.manifest.filter { $0.expect == .accept }, every: 10)
  private static let others = Extent.sample(
    Corpus.manifest.filter { $0.expect != .accept }, every: 10)

  @Test(
    "Every file becomes what the manifest says, and every output is what was promised",
    .timeLimit(.minutes(40)))
  func corpus() async throws {
    let folder = try #require(Corpus.folder)
    // Named one by one: in a folder, photos and documents would be skipped.
    let rows = Self.takeable + Self.others
    let paths = rows.map { "\(folder)/\($0.path)" }
    let result = try await library.holdfast(["import", "--json"] + paths)
    let lines = try ImportLine.lines(of: result)
    #expect(result.status == (lines.contains { $0.event == "failed" } ? 3 : 0))
    let events = Dictionary(grouping: lines.dropLast()) { $0.source ?? "" }
    for row in rows {
      let found = events["\(folder)/\(row.path)"] ?? []
      #expect(found.count == 1, "\(row.path)")
      if let event = found.first { expect(event, is: row) }
    }
    try await library.expectSound()
    try await library.expectPrivate()
    try await expectPromises(of: lines.filter { $0.event == "imported" })
  }

  /// FFmpeg 7 decodes these, but FFmpeg 5.1 does not: IAMF, and fragments of WMA.
  private static let takenLater =
    FFmpegRelease.major < 7
    ? [] : ["audio/m4a/media__sample_iamf.mp4", "evil/encrypted/mp4ff__audio_dec.mp4"]

  private func expect(_ event: ImportLine, is row: ManifestRow) {
    let name: Comment = "\(row.path): \(event.error ?? event.event)"
    switch row.expect {
    // Some files of the corpus are there twice.
    case .accept: #expect(["imported", "skipped"].contains(event.event), name)
    case .refuse:
      #expect(event.event == "failed" || Self.takenLater.contains(row.path), name)
    case .either: #expect(["imported", "skipped", "failed"].contains(event.event), name)
    }
    if event.event == "failed" {
      #expect(event.error?.isEmpty == false && event.error?.contains("\n") == false, name)
      // A damaged file may fail inside FFmpeg; any other failure has a reason of its own.
      let isOurs = event.code != "unexpected" && (row.expect == .either || event.code != "library")
      #expect(isOurs, name)
    }
    guard row.expect == .accept, let recording = event.recordings?.first else { return }
    if let type = row.type { #expect(recording.type == type, name) }
    if let duration = row.duration {
      #expect(abs(recording.duration - duration) <= 0.15, "\(row.path): \(recording.duration)")
    }
  }

  private func expectPromises(of events: [ImportLine]) async throws {
    let recordings = events.compactMap { event in
      event.recordings?.first.map { (event.source ?? "", $0) }
    }
    // A file that is there twice is one recording.
    #expect(recordings.count * 2 >= Self.takeable.count)
    try await inParallel(recordings) { source, recording in
      try await expectOutput("\(library.path)/\(recording.filePath)", recording, of: source)
      if let thumbnail = recording.thumbnailPath {
        let size = try await JPEGFile.dimensions("\(library.path)/\(thumbnail)")
        #expect(max(size.width, size.height) <= 480, "\(source)")
      }
    }
    let telling = try await Exif.filesTellingLocationOrDevice("\(library.path)/Recordings")
    #expect(telling.isEmpty)
  }

  private func expectOutput(
    _ file: String, _ recording: ImportLine.Recording, of source: String
  ) async throws {
    let name = Comment(rawValue: source)
    #expect(file.hasSuffix(recording.type == "video" ? ".mov" : ".m4a"), name)
    let boxes = try MP4Boxes.topLevel(file).map(\.type)
    let moov = try #require(boxes.firstIndex(of: "moov"), name)
    let mdat = try #require(boxes.firstIndex(of: "mdat"), name)
    #expect(moov < mdat, name)
    let streams = try await FFprobe.streams(file)
    #expect(
      streams.allSatisfy { ["h264", "hevc", "aac", "alac"].contains($0.codecName) },
      "\(source): \(streams.map(\.codecName))")
    let videos = streams.filter { $0.codecType == "video" }
    #expect(videos.count == (recording.type == "video" ? 1 : 0), name)
    #expect(streams.count - videos.count <= 1, name)
    #expect(streams.allSatisfy { $0.codecType == "video" || $0.codecType == "audio" }, name)
    let duration = try await FFprobe.presentedDuration(file)
    #expect(duration <= 120.1, "\(source): \(duration)")
    if abs(duration - recording.duration) > 0.1 {
      // ffprobe has no length for packets of reordered pictures, so none for the last one, which
      // matters at a picture a second. Holdfast's header has it.
      let header = try #require(try await FFprobe.format(file)?.duration)
      #expect(abs(header - recording.duration) <= 0.1, "\(source): \(header)")
    }
    if let video = videos.first { try await expectUpright(video, of: source) }
  }

  /// The visible picture has the source's shape, however it is turned.
  private func expectUpright(_ output: FFprobe.Stream, of source: String) async throws {
    let original = try #require(
      try await FFprobe.streams(source).first {
        $0.codecType == "video" && !$0.isAttachedPicture
      })
    guard let seen = shape(of: original), let shown = shape(of: output) else { return }
    #expect(abs(seen / shown - 1) < 0.03, "\(source): \(seen), \(shown)")
    let isCopied = output.codecName == original.codecName && output.clockwiseTurn != 0
    if isCopied { #expect(output.clockwiseTurn == original.clockwiseTurn, "\(source)") }
  }

  /// Width by height, as a viewer sees it.
  private func shape(of stream: FFprobe.Stream) -> Double? {
    // Sides are made even, which is a large part of a side of a few pixels.
    guard let width = stream.width, let height = stream.height, min(width, height) >= 64 else {
      return nil
    }
    let aspect = stream.sampleAspectRatio?.split(separator: ":").compactMap { Double($0) } ?? []
    let pixel = aspect.count == 2 && aspect[0] > 0 && aspect[1] > 0 ? aspect[0] / aspect[1] : 1
    let shape = Double(width) * pixel / Double(height)
    return stream.clockwiseTurn % 180 == 90 ? 1 / shape : shape
  }
}

/// Processes the items, three at a time.
private func inParallel<Item: Sendable>(
  _ items: [Item], _ work: @escaping @Sendable (Item) async throws -> Void
) async throws {
  try await withThrowingTaskGroup(of: Void.self) { group in
    for (number, item) in items.enumerated() {
      if number >= 3 { try await group.next() }
      group.addTask { try await work(item) }
    }
    try await group.waitForAll()
  }
}

extension Exif {
  /// The media files of a folder that contain a place or a device; one exiftool reads them all.
  fileprivate static func filesTellingLocationOrDevice(_ folder: String) async throws -> [String] {
    let result = try await Command.output(
      of: "exiftool",
      [
        "-j", "-r", "-ee", "-ext", "mov", "-ext", "m4a", "-ext", "jpg", "-GPS*", "-Location*",
        "-*GPS*", "-*Location*", "-Make", "-Model", "-Software", "-*Make", "-*Model", "-Android*",
        folder,
      ])
    let files = try JSONDecoder().decode([[String: Tag]].self, from: Data(result.outputBytes))
    try #require(!files.isEmpty)
    return files.filter { $0.count > 1 }.map { "\($0)" }
  }

  /// A tag's value, which may be of any kind.
  private struct Tag: Decodable, CustomStringConvertible {
    var description: String
    init(from decoder: any Decoder) throws {
      description = (try? decoder.singleValueContainer().decode(String.self)) ?? "?"
    }
  }
}
