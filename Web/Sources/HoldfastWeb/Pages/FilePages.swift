import Foundation
import Holdfast
import Hummingbird

struct FilePages: Sendable {
  let host: LibraryHost

  func add(to router: Router<WebContext>) {
    router.get("/media/:id") { request, context in
      let id = try context.id("id")
      let isDownload = request.uri.query == "download"
      return try await media(id, isDownload: isDownload).response(to: request, on: context.channel)
    }
    router.get("/media/:id/copy") { request, context in
      let id = try context.id("id")
      return try await copy(id).response(to: request, on: context.channel)
    }
    router.get("/thumbnails/:id") { request, context in
      let id = try context.id("id")
      return try await thumbnail(id).response(to: request, on: context.channel)
    }
    router.get("/waveforms/:id") { _, context in
      let svg = try await waveform(context.id("id"))
      return Response(
        status: .ok, headers: [.contentType: "image/svg+xml"],
        body: ResponseBody(byteBuffer: ByteBuffer(string: svg)))
    }
  }

  func media(_ id: UUID, isDownload: Bool) async throws -> FileAnswer {
    try await host.read { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      return FileAnswer(
        file: try library.openFile(of: recording),
        type: recording.type == .video ? "video/mp4" : "audio/mp4",
        hash: recording.ingestion.fileSHA256.hexadecimal,
        download: isDownload
          ? "\(recording.displayTitle.prefix(80)).\(recording.type.fileExtension)" : nil)
    }
  }

  /// The copy for browsers. Its bytes depend on the recording's, and on when the copy was made.
  private func copy(_ id: UUID) async throws -> FileAnswer {
    try await host.read { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      guard let file = try library.openPlayableCopy(of: recording) else {
        throw WebProblem(
          .notFound, code: "noCopy", detail: "no copy of this recording was made for browsers")
      }
      return FileAnswer(
        file: file, type: recording.type == .video ? "video/mp4" : "audio/mp4",
        hash: "\(recording.ingestion.fileSHA256.hexadecimal)-\(file.modified)")
    }
  }

  func thumbnail(_ id: UUID) async throws -> FileAnswer {
    try await host.read { library in
      guard let (file, hash) = try library.openThumbnail(of: id) else { throw WebProblem.noPicture }
      return try FileAnswer(file: file, type: "image/jpeg", hash: hash.hexadecimal).read()
    }
  }

  /// Makes the thumbnail that a video lacks, for example because it was damaged.
  func makeThumbnail(of id: UUID) async throws {
    var options = ThumbnailOptions()
    options.ids = [id]
    let isVideo = try await host.read { library in
      try library.recording(idPrefix: id.uuidString).type == .video
    }
    guard isVideo else { throw WebProblem.noPicture }
    for try await event in try await host.writer().makeThumbnails(options: options) {
      if case .failed(_, let error) = event { throw error }
    }
  }

  func waveform(_ id: UUID) async throws -> String { Waveform(try await sound(of: id)).svg }

  /// Returns the measurements of a recording's sound. It is measured first if necessary.
  func sound(of id: UUID) async throws -> SoundProfile {
    let (recording, known) = try await host.read { library in
      let recording = try library.recording(idPrefix: id.uuidString)
      return (recording, try library.sound(of: id))
    }
    if let known { return known }
    let measured = try await host.writerOrReader().measureSound(of: recording)
    // It can be measured again, so a failure to store it does not matter.
    _ = try? await host.write { library in try library.note(measured) }
    return measured.profile
  }
}

extension WebProblem {
  static let noPicture = WebProblem(
    .notFound, code: "noPicture", detail: "this recording has no picture")
}

struct Waveform {
  private static let bars = 120
  private let heights: [Int]

  init(_ sound: SoundProfile) {
    let peaks = sound.peaks
    guard !peaks.isEmpty else {
      heights = []
      return
    }
    let most = max(peaks.max() ?? 1, 1)
    heights = (0..<Self.bars).map { bar in
      let (start, end) = (bar * peaks.count / Self.bars, (bar + 1) * peaks.count / Self.bars)
      let loudest = peaks[start..<max(end, start + 1)].max() ?? 0
      return max(Int(loudest) * 60 / Int(most), 2)
    }
  }

  var svg: String {
    let path = heights.enumerated().map { "M\($0 * 4 + 2) \(32 - $1 / 2)v\($1)" }.joined()
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 64" preserveAspectRatio="none">\
      <path d="\(path)" stroke="#5d8371" stroke-width="2.5" stroke-linecap="round" fill="none"/>\
      </svg>
      """
  }
}
