internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

extension Repair {
  /// The thumbnail is not replaced, because another command has replaced it already.
  private struct RemadeMeanwhile: Error {}

  /// Makes missing and damaged thumbnails again. Damaged ones are kept in quarantine.
  func remakeThumbnails(_ tell: (VerifyFinding) throws -> Void) async throws {
    var findings: [RecordingID: [VerifyFinding]] = [:]
    var damaged: [RecordingID: FileIdentity] = [:]
    for (finding, row) in thumbnails {
      var finding = finding
      do {
        // Read the row and the file under the lock, because other commands replace both in one
        // step.
        let (now, picture) = try underLock { _ in
          let now = try library.catalog.storedFiles(id: row.id)
          return (now, try? RelativePath(now?.thumbnailPath ?? "").map(tree.openForReading))
        }
        guard let picture, try await hash(of: picture) == now?.thumbnailSHA256 else {
          damaged[row.id] = try? picture?.identity()
          findings[row.id, default: []].append(finding)
          continue
        }
        finding.settle("another command has remade it meanwhile")
      } catch let error where !(error is CancellationError) {
        finding.fail(error)
      }
      try tell(finding)
    }
    guard !findings.isEmpty else { return }
    do {
      try await remake(&findings, damaged, tell)
    } catch let error where !(error is CancellationError) {
      for var finding in findings.values.joined() {
        finding.fail(error)
        try tell(finding)
      }
    }
  }

  private func remake(
    _ findings: inout [RecordingID: [VerifyFinding]], _ damaged: [RecordingID: FileIdentity],
    _ tell: (VerifyFinding) throws -> Void
  ) async throws {
    let run = try ThumbnailRun(library, tree, ThumbnailOptions()) { [self] made, lock in
      guard (try? tree.openForReading(made.path).identity()) == damaged[made.id] else {
        throw RemadeMeanwhile()
      }
      try moveAside(made.path.string, of: made.row, "was damaged; it was remade", under: lock)
    }
    let ids = findings.keys.sorted { $0.uuidString < $1.uuidString }
    try await run.make(ids) { id, outcome in
      for var finding in findings.removeValue(forKey: id) ?? [] {
        switch outcome {
        case .made: finding.settle("was remade")
        case .gone: finding.settle("the recording is gone")
        case .failed(let error) where error is RemadeMeanwhile:
          finding.settle("another command has remade it meanwhile")
        case .failed(let error): finding.fail(error)
        }
        try tell(finding)
      }
    }
  }

  private func hash(of file: OpenFile) async throws -> SHA256Digest? {
    try await onOwnThread { stop in
      // A thumbnail that cannot be read is made again.
      do { return try file.sha256(until: stop) } catch is StorageError { return nil }
    }
  }
}
