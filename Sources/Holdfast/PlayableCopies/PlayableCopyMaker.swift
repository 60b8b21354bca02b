import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Makes a copy of a recording that nearly every program plays.
struct PlayableCopyMaker: Sendable {
  /// The largest height of a copy's picture in pixels, for one that is upright and for others.
  private static let largestHeight = (upright: 1920, other: 1080)
  private static let stagedName = "copy"

  let library: Library
  let recording: Recording

  func run(_ progress: @escaping @Sendable (Double) -> Void) async throws {
    let (engine, tree, path) = (
      try library.mediaEngine(), try library.writableTree(), recording.filePath
    )
    let source = try await onOwnThread { _ in try tree.openForReading(path) }
    let staging = try await tree.makeStaging()
    defer { try? staging.remove() }
    let media = OpenMedia(descriptor: source.descriptor, name: path.name)
    do {
      let plan = try Self.plan(for: try await engine.probe(media, depth: .packets))
      _ = try await staging.writing(Self.stagedName) { file in
        let output = OpenMedia(descriptor: file.descriptor, name: path.name)
        try await whileThere {
          _ = try await engine.convert(plan, source: media, output: output, progress: progress)
        }
      }
    } catch let error as HoldfastError where error.layer == .media {
      throw HoldfastError(.notCopied, "\(path): \(error.reason)", cause: .error(error))
    }
    try await onOwnThread { stop in
      try staging.sync(Self.stagedName)
      try tree.withWriterLock(until: stop) { lock in
        // A copy of a recording that was deleted meanwhile would stay.
        try refuseIfGone()
        try tree.playableCopies.add(
          Self.stagedName, from: staging, as: CachedFile(copyOf: recording),
          limit: Library.mostCachedBytes,
          under: lock)
      }
    }
  }

  private func refuseIfGone() throws {
    _ = try library.found(
      library.catalog.recordings.find(id: recording.id), kind: .recordings, id: recording.id)
  }

  /// Runs `work`, and cancels it when another program deletes the recording, so that no more of its
  /// pictures are written.
  private func whileThere(_ work: @escaping @Sendable () async throws -> Void) async throws {
    try await withThrowingTaskGroup(of: Void.self) { group in
      group.addTask(operation: work)
      group.addTask {
        while true {
          try await Task.sleep(for: .seconds(1))
          try await onOwnThread { _ in try refuseIfGone() }
        }
      }
      defer { group.cancelAll() }
      try await group.next()
    }
  }

  /// Returns the plan for a copy. AAC stays as it is.
  private static func plan(for info: MediaInfo) throws(HoldfastError) -> ConversionPlan {
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
