import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// The deletion of a recording: its file, its thumbnail and its row together.
struct RecordingDeletion {
  let library: Library
  let id: RecordingID

  /// - Returns: The paths at which something was left, because it is not the recording's own file.
  func run(under lock: borrowing WriterLock) throws -> [RelativePath] {
    let row = try library.catalog.files.find(id: id)
    let files = try library.found(row?.recordingID == nil ? nil : row, kind: .recordings, id: id)
    let paths = [files.filePath, files.thumbnailPath].compactMap { $0.flatMap(RelativePath.init) }
    do {
      return try delete(paths, under: lock)
    } catch let error as HoldfastError where error.isForWantOfSpace || error.code == .full {
      // A deletion needs a little room before it frees more. Copies can be made again.
      try library.tree.playableCopies.removeAll(under: lock)
    }
    return try delete(paths, under: lock)
  }

  private func delete(
    _ paths: [RelativePath], under lock: borrowing WriterLock
  ) throws -> [RelativePath] {
    let catalog = library.catalog
    return try Deletion(of: id, paths: paths, in: library.tree).run(
      under: lock, hasRow: catalog.recordings.contains
    ) {
      try catalog.recordings.delete(id: id)
    }
  }
}
