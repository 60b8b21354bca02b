internal import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// Copies for programs that cannot play a recording as it is stored, such as a browser without HEVC.
///
/// They are kept in `.cache`, which has at most ``mostCachedBytes``. The oldest are removed first. They are
/// deleted with their recordings, and no backup has them.
extension Library {
  /// The most bytes that the copies may have together.
  public static let mostCachedBytes: Int64 = 2_000_000_000
  /// The largest height of a copy's picture in pixels, for one that is upright and for others.
  private static let largestHeight = (upright: 1920, other: 1080)
  private static let stagedName = "copy"

  /// Opens the copy of a recording for reading, or returns `nil` if none was made.
  ///
  /// - Throws: ``LibraryError`` when the copy cannot be opened.
  public func openPlayableCopy(of recording: Recording) throws -> StoredFile? {
    try LibraryError.translating {
      try tree.openCached(CachedFile(copyOf: recording)).map(StoredFile.init)
    }
  }

  /// Makes a copy of a recording that nearly every program plays: H.264 with 8 bits and at most
  /// 1080 lines (1920 if it is upright), and AAC.
  ///
  /// - Parameters:
  ///   - recording: The recording, which stays as it is.
  ///   - progress: Called from any thread with the share that is done, from 0 to 1.
  /// - Throws: ``LibraryError`` when the library was opened for reading or without an engine, when the
  ///   recording cannot be decoded or was deleted meanwhile, and when the disk is full;
  ///   `CancellationError`. No copy is then left.
  public func makePlayableCopy(
    of recording: Recording, progress: @escaping @Sendable (Double) -> Void
  ) async throws {
    try await LibraryError.translating {
      let (engine, tree, path) = (try mediaEngine(), try writableTree(), recording.filePath)
      let (source, staging) = try await onOwnThread { stop in
        let source = try tree.openForReading(path)
        return (
          source,
          try tree.withWriterLock(until: stop) { try tree.makeStaging(id: UUID(), under: $0) }
        )
      }
      defer { try? staging.remove() }
      let media = OpenMedia(descriptor: source.descriptor, name: path.name)
      do {
        let plan = try Self.plan(for: try await engine.probe(media, depth: .packets))
        _ = try await staging.writing(Self.stagedName) { file in
          let output = OpenMedia(descriptor: file.descriptor, name: path.name)
          try await whileThere(recording.id) {
            _ = try await engine.convert(plan, source: media, output: output, progress: progress)
          }
        }
      } catch let error as MediaError {
        throw LibraryError(.notCopied, "\(path): \(error.reason)", underlying: error)
      }
      try await onOwnThread { stop in
        try staging.sync(Self.stagedName)
        try tree.withWriterLock(until: stop) { lock in
          // A copy of a recording that was deleted meanwhile would stay.
          _ = try self.found(self.catalog.recording(id: recording.id), .recordings, recording.id)
          try staging.moveToCache(
            Self.stagedName, as: CachedFile(copyOf: recording), limit: Self.mostCachedBytes,
            under: lock)
        }
      }
    }
  }

  /// Runs `work`, and cancels it when another program deletes the recording: its pictures do not go on
  /// being written then.
  private func whileThere(
    _ id: RecordingID, _ work: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(operation: work)
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(1))
          try await onOwnThread { _ in
            _ = try self.found(self.catalog.recording(id: id), .recordings, id)
          }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Returns how a copy is made. AAC stays as it is.
  private static func plan(for info: MediaInfo) throws(MediaError) -> ConversionPlan {
    let size = info.videoStream?.picture?.displaySize
    let isUpright = size.map { $0.height > $0.width } ?? false
    return try ConversionPlan(
      for: info,
      options: ConversionOptions(
        video: .h264, audio: info.audioStream?.codec == "aac" ? .auto : .aac,
        maxHeight: isUpright ? largestHeight.upright : largestHeight.other))
  }
}

extension CachedFile {
  /// Names the copy of a recording as it is now.
  init(copyOf recording: Recording) {
    self.init(of: recording.id, recording.type, hash: recording.ingestion.fileSHA256)
  }
}
