import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Repair {
  /// Makes missing and damaged thumbnails again. Damaged ones are kept in quarantine.
  func remakeThumbnails(_ tell: (VerifyFinding) -> Void) async throws {
    var findings: [RecordingID: [VerifyFinding]] = [:]
    var damaged: [RecordingID: FileIdentity] = [:]
    for (finding, row) in thumbnails {
      var finding = finding
      do {
        // Read the row and the file under the lock, because other commands replace both in one
        // step.
        let (now, picture) = try underLock { _ in
          let now = try library.catalog.files.find(id: row.id)
          return (now, try? RelativePath(now?.thumbnailPath ?? "").map(tree.openForReading))
        }
        guard let picture, try await hash(of: picture) == now?.thumbnailSHA256 else {
          damaged[row.id] = try? picture?.identity()
          findings[row.id, default: []].append(finding)
          continue
        }
        finding.repair = .done(Self.remadeMeanwhile)
      } catch let error where !(error is CancellationError) {
        finding.repair = .failed(error)
      }
      tell(finding)
    }
    guard !findings.isEmpty else { return }
    do {
      try await remake(&findings, replacing: damaged, tell)
    } catch let error where !(error is CancellationError) {
      for var finding in findings.values.joined() {
        finding.repair = .failed(error)
        tell(finding)
      }
    }
  }

  private static let remadeMeanwhile = "another command has remade it meanwhile"

  private func remake(
    _ findings: inout [RecordingID: [VerifyFinding]],
    replacing damaged: [RecordingID: FileIdentity],
    _ tell: (VerifyFinding) -> Void
  ) async throws {
    var remade: Set<RecordingID> = []
    let maker = try ThumbnailMaker(library, in: tree, options: ThumbnailOptions()) {
      [self] staged, lock in
      guard (try? tree.openForReading(staged.path).identity()) == damaged[staged.id] else {
        remade.insert(staged.id)
        return false
      }
      try moveAside(staged.path.string, of: staged.row, "was damaged; it was remade", under: lock)
      return true
    }
    let ids = findings.keys.sorted { $0.uuidString < $1.uuidString }
    try await maker.make(ids) { event in
      let (id, repair): (RecordingID, VerifyFinding.Repair)
      switch event {
      case .planned, .progress: return
      case .made(let made, _, _): (id, repair) = (made, .done("was remade"))
      case .failed(let failed, let error): (id, repair) = (failed, .failed(error))
      case .interrupted(let left): (id, repair) = (left, .failed(CancellationError()))
      case .gone(let gone):
        id = gone
        repair = .done(remade.contains(gone) ? Self.remadeMeanwhile : "the recording is gone")
      }
      for var finding in findings.removeValue(forKey: id) ?? [] {
        finding.repair = repair
        tell(finding)
      }
    }
  }

  private func hash(of file: OpenFile) async throws -> SHA256Digest? {
    try await onOwnThread { stop in
      // A thumbnail that cannot be read is made again.
      do {
        try file.refuseIfLarger(than: ReadLimit.picture)
        return try file.sha256(until: stop)
      } catch let error as HoldfastError where error.layer == .storage {
        return nil
      }
    }
  }
}
