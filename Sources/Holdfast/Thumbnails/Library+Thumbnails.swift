public import Foundation
internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

extension Library {
  /// Makes thumbnails anew, each in the place of the one that is there.
  ///
  /// The old picture stays until the new one is on the disk. When the task is cancelled, what is
  /// finished is kept, and the rest is as it was.
  ///
  /// - Parameters:
  ///   - options: Which, and how.
  ///   - report: Takes what happens, one after the other.
  /// - Throws: `RuleError` for figures that no thumbnail can have; ``LibraryError`` when the library was
  ///   opened for reading, or without an engine, or when its recordings' files are not there; what the
  ///   catalog and the disk refuse to the run as a whole; and what `report` throws.
  public func remakeThumbnails(
    _ options: ThumbnailOptions = ThumbnailOptions(),
    _ report: (ThumbnailEvent) throws -> Void
  ) async throws {
    try await LibraryError.translating {
      try options.validate()
      let tree = try writableTree()
      try refuseIfOffline("no thumbnail was made")
      let ids = try thumbnailsToMake(options, tree)
      try report(.planned(ids.count))
      guard !ids.isEmpty else { return }
      let run = try ThumbnailRun(self, tree, options)
      try await run.make(ids) {
        try report(.progress($0))
      } _: { id, outcome in
        switch outcome {
        case .made(let path, let made): try report(.made(id, path, made))
        case .failed(let error) where error is CancellationError: try report(.interrupted(id))
        case .failed(let error): try report(.failed(id, LibraryError(itemFailure: error)))
        // Deleted meanwhile: nobody misses its thumbnail.
        case .gone: break
        }
      }
    }
  }

  /// Makes a contact sheet of a video, outside of the library.
  ///
  /// - Parameters:
  ///   - id: The recording.
  ///   - job: Size, quality and shape.
  ///   - path: The new file's path; nothing is there yet.
  /// - Returns: What it became.
  /// - Throws: ``LibraryError`` when the recording has no picture or the library was opened without an
  ///   engine; `MediaError`; `StorageError` when a file cannot be read or made. No file is left then.
  public func makeContactSheet(
    of id: RecordingID, _ job: ThumbnailJob, toFile path: String
  ) async throws -> ThumbnailReport {
    try await LibraryError.translating {
      let (engine, tree) = (try mediaEngine(), tree)
      guard let row = try catalog.storedFiles(id: id), row.type == .video,
        let media = RelativePath(row.filePath)
      else { throw LibraryError.noPicture(id) }
      let (source, output) = try await onOwnThread { _ in
        (try tree.openForReading(media), try NewFile(at: SourcePath(path)))
      }
      let report = try await engine.thumbnail(
        job, source: OpenMedia(descriptor: source.descriptor, name: media.name),
        output: OpenMedia(descriptor: output.file.descriptor, name: "sheet.jpg"))
      try await onOwnThread { _ in try output.commit() }
      return report
    }
  }

  /// How a recording's thumbnail was made; `nil` if that is not known.
  ///
  /// - Throws: `CatalogError`.
  public func thumbnail(of id: RecordingID) throws -> ThumbnailRecord? {
    try LibraryError.translating {
      try catalog.thumbnail(of: id)
    }
  }

  /// The recordings whose thumbnails are to be made.
  private func thumbnailsToMake(
    _ options: ThumbnailOptions, _ tree: LibraryTree
  ) throws -> [RecordingID] {
    var seen: Set<RecordingID> = []
    if let ids = options.ids, !options.onlyMissing {
      return ids.filter { seen.insert($0).inserted }
    }
    let wanted = options.ids.map(Set.init)
    var ids: [RecordingID] = []
    var page = try catalog.thumbnails(after: nil)
    while let last = page.last {
      for row in page where wanted?.contains(row.id) ?? true {
        if try !options.onlyMissing || options.differs(from: row.record)
          || isThumbnailMissing(row.path, tree)
        {
          ids.append(row.id)
        }
      }
      page = try catalog.thumbnails(after: last.id)
    }
    return ids
  }

  private func isThumbnailMissing(_ text: String, _ tree: LibraryTree) throws -> Bool {
    // A path that leads elsewhere is verification's to name.
    guard let path = RelativePath(text) else { return false }
    switch try tree.status(of: path) {
    case .missing: return true
    case .regular(let size): return size == 0
    case .notRegular: return false
    }
  }
}

extension LibraryError {
  /// Says that a recording has no picture.
  static func noPicture(_ id: RecordingID) -> LibraryError {
    LibraryError(
      .noPicture, "the recording \(id.uuidString.prefix(8)) is no video; it has no picture")
  }
}

extension LibraryError {
  /// Says that a recording has no sound.
  public static func noSound(_ id: RecordingID) -> LibraryError {
    LibraryError(.noSound, "the recording \(id.uuidString.prefix(8)) has no sound to draw")
  }
}
