import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Verification {
  /// Notes to store about recordings.
  struct Notes {
    /// The recordings in which every byte is as it was written.
    var intact: [RecordingID] = []
    /// The faults of recordings' media files that were not known.
    var faults: [RecordingID: RecordingFault] = [:]
    /// The codecs of recordings whose rows lack them.
    var codecs: [RecordingID: CodecStrings] = [:]

    /// The number of recordings that were found intact or faulty.
    var verified: Int { intact.count + faults.count }
    var count: Int { verified + codecs.count }
  }

  /// Stores the notes in the catalog. A library that is open for reading is still verified, but
  /// nothing is stored.
  func storeNotes() throws {
    var notes = notes
    self.notes = Notes()
    guard (try? library.writableTree()) != nil else { return }
    // While none of the files is there, they may be on a disk that is not mounted.
    if notes.faults.values.contains(.missing),
      (try? OfflineCheck(tree: tree, catalog: library.catalog).isOffline()) ?? true
    {
      notes.faults = notes.faults.filter { $0.value != .missing }
    }
    guard notes.count > 0 else { return }
    do {
      // Codecs can be stored at the next verification, so they alone are not worth a wait.
      let patience = tree.patience.atMost(
        summary.lockTimeout == nil && notes.verified > 0 ? VerifyOptions.longestWait : 0)
      try tree.withWriterLock(patience: patience) { _ in
        if !notes.intact.isEmpty { try library.catalog.files.setVerified(notes.intact, at: began) }
        if !notes.faults.isEmpty { try library.catalog.files.setFaults(notes.faults, at: began) }
        if !notes.codecs.isEmpty { try library.catalog.files.fillCodecs(notes.codecs) }
      }
    } catch let error as HoldfastError where error.code == .locked {
      if notes.verified > 0 { summary.lockTimeout = error.timeout }
    } catch let error as HoldfastError where error.code == .full {
      // These recordings are read again the next time. A full disk does not count as damage.
    } catch {
      // Nothing must stop verification from finding damage.
      try found(
        VerifyFinding(
          .unreadable, path: "catalog.sqlite",
          detail: "the catalog could not note that \(notes.verified.counted("recording")) "
            + "\(notes.verified.noun("was", "were")) verified: "
            + HoldfastError.explanation(of: error)))
    }
  }
}
