import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

struct WantedRecording: Sendable {
  enum State: Sendable {
    /// The library has no recording with its ID.
    case deleted(RestorableRecording)
    /// The library has it. In the bag, these records name it.
    case present(Recording, RecordingLinks)
    /// None was found, or it is not clear which one is meant.
    case unknown(HoldfastError)
  }

  var name: String
  var state: State
}

extension RecordingRestore {
  /// Returns the recordings whose IDs begin with these prefixes, each once.
  ///
  /// SQLite would obey a journal beside the bag's own catalog, and a bag is never changed. So the
  /// catalog is copied, and read in staging.
  func wanted(
    _ prefixes: [String], in staging: Staging, until stop: StopFlag
  ) throws -> [WantedRecording] {
    defer { try? staging.removeFile(named: Self.copiedCatalog) }
    let catalog = try copyCatalog(to: staging, until: stop)
    var seen: Set<RecordingID> = []
    var wanted: [WantedRecording] = []
    for prefix in prefixes {
      do {
        let (id, known) = try find(prefix, in: catalog)
        guard seen.insert(id).inserted else { continue }
        if let known {
          let backedUp = try catalog.recordings.find(id: id)
          guard backedUp.map(known.isSameRecording(as:)) ?? true else { throw Self.otherSource }
          wanted.append(
            WantedRecording(
              name: prefix, state: .present(known, try catalog.recordings.links(of: id))))
        } else if let deleted = try catalog.recordings.restorable(id: id) {
          wanted.append(WantedRecording(name: prefix, state: .deleted(deleted)))
        }
      } catch {
        let failure = HoldfastError(itemFailure: error)
        // A reader must not mistake the backup's row for the library's own.
        let isBackups = failure.layer == .catalog && failure.path == catalog.name
        wanted.append(
          WantedRecording(
            name: prefix,
            state: .unknown(
              isBackups ? unusable(failure) : failure)))
      }
    }
    return wanted
  }

  private static let copiedCatalog = "catalog"

  /// Copies the bag's catalog, and brings the copy up to date.
  private func copyCatalog(to staging: Staging, until stop: StopFlag) throws -> Catalog {
    do {
      let copy = try staging.createFile(named: Self.copiedCatalog)
      guard let hash = try manifest.hash(of: Bag.catalog.utf8),
        try bag.open(Bag.catalog).sha256(until: stop, copy.write) == hash
      else { throw Self.otherBytes }
      return try openCatalog(at: copy.path)
    } catch let error as HoldfastError {
      // The library's own disk refused.
      let isOfLibrary =
        error.layer == .storage && error.path == staging.path(of: Self.copiedCatalog)
      throw isOfLibrary ? error : unusable(error)
    }
  }

  private func openCatalog(at path: String) throws -> Catalog {
    let journals = library.catalog.journals.known
    do {
      return try Catalog(path: path, access: .reading, journals: journals)
    } catch HoldfastError.Code.needsMigration {}
    try Catalog(path: path, access: .writing, journals: journals).migrateIfNeeded()
    return try Catalog(path: path, access: .reading, journals: journals)
  }

  private func unusable(_ error: HoldfastError) -> HoldfastError {
    HoldfastError(
      .unusableBackup,
      "\(Bag.catalog) of the backup \(bag.name.escapedForDisplay): \(error.reason)",
      path: bag.path, cause: .error(error))
  }

  /// Returns the recording whose ID begins with a prefix, with the library's own row if it has one.
  private func find(
    _ prefix: String, in catalog: Catalog
  ) throws -> (RecordingID, known: Recording?) {
    var ids: Set<RecordingID> = []
    do {
      let recording = try library.only(prefix, of: .recordings) { prefix, limit in
        let here = try library.catalog.recordings.matching(idPrefix: prefix, limit: limit)
        let there = try catalog.recordings.matching(idPrefix: prefix, limit: limit)
        // A recording is found by another ID that it has only if no recording has that ID itself.
        let isOwn = { (recording: Recording) in
          recording.id.uuidString.hasPrefix(prefix.uppercased())
        }
        let own = (here + there).filter(isOwn)
        return (own.isEmpty ? here + there : own).filter { ids.insert($0.id).inserted }
      }
      return (recording.id, try library.catalog.recordings.find(id: recording.id))
    } catch HoldfastError.Code.noSuchRecord {
      throw HoldfastError(
        .notInBackup,
        "no recording's id begins with \"\(prefix.escapedForDisplay)\", neither in the library nor "
          + "in the backup of \(bag.info.moment.localText)")
    }
  }
}
