import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// Repairs a library. It never removes anything: a file that is out of place is moved into
/// quarantine. Each step reads the row again under the writer lock before it moves anything.
final class Repair {
  /// A finding about a recording's file. The repair looks for the right file after everything was
  /// verified.
  struct Case {
    var finding: VerifyFinding
    var row: StoredFiles
    var fault: RecordingFault
  }

  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let backups: [String]
  /// Whether only missing files are put back, and everything else is left as it is.
  let onlyPutsBack: Bool
  private let began = Date()
  private var quarantine: Quarantine?
  private(set) var cases: [Case] = []
  private(set) var thumbnails: [(finding: VerifyFinding, row: StoredFiles)] = []
  /// Whether the rows can be trusted. With a damaged catalog, recordings would seem to have no
  /// rows.
  var isCatalogSound = true

  init(_ library: Library, in tree: LibraryTree, _ options: VerifyOptions) throws {
    self.library = library
    self.tree = tree
    engine = try library.mediaEngine()
    backups = options.backups
    onlyPutsBack = options.onlyPutsBack
  }

  /// Runs a step under the writer lock.
  ///
  /// Before the step, it recovers from commands that were interrupted since the library was opened,
  /// because their work would look like damage. It does not recover while the recordings' files are
  /// missing: the first file that is put back would make the others count as lost.
  func underLock<Result>(_ step: (borrowing WriterLock) throws -> Result) throws -> Result {
    if onlyPutsBack { return try tree.withWriterLock { try step($0) } }
    let hashes = RecoveryHashes()
    return try hashes.whileRecovering(in: tree) { lock in
      try LibraryRecovery(tree: tree, catalog: library.catalog, hashes: hashes).run(under: lock)
    } then: { lock, _ in
      try step(lock)
    }
  }

  /// Repairs a finding.
  ///
  /// - Returns: The finding with what was done; `nil` if that is known only at the end.
  func apply(_ remedy: Remedy, to finding: VerifyFinding) throws -> VerifyFinding? {
    var finding = finding
    guard isCatalogSound else {
      finding.repair = .failed(
        "nothing is moved while the catalog is damaged; restore the catalog from a backup")
      return finding
    }
    if onlyPutsBack { return putOff(finding, remedy) }
    do {
      switch remedy {
      case .none, .unreadable: finding.repair = .failed(nil)
      case .recovery:
        finding.repair =
          try recover(finding).map { .done($0) }
          ?? .failed("recovery could not repair it; another computer may be at work on it")
      case .ownPaths(let row):
        try underLock { _ in
          try library.catalog.files.resetPaths(of: row.id)
        }
        finding.repair = .done("the row has the recording's own paths again")
      case .file(let row, let fault):
        note(finding, of: row, fault)
        return nil
      case .foreignFile(let row):
        try moveAside(row.filePath, of: row, "the bytes are another recording's")
        note(finding, of: row, .missing)
        return nil
      case .length(let row, let seconds):
        try underLock { _ in
          guard try library.catalog.files.find(id: row.id)?.isSame(as: row) == true else { return }
          try library.catalog.files.setDuration(seconds, of: row.id)
        }
        finding.repair = .done("the row has the file's length")
      case .thumbnail(let row):
        thumbnails.append((finding, row))
        return nil
      case .unknownFile(let entry):
        finding.repair =
          try moveUnknownFile(entry).map { .done($0) }
          ?? .failed("is named like a recording whose row names another file; it was not moved")
      case .rights(let entry):
        try underLock { try tree.makePrivate(entry, under: $0) }
        finding.repair = .done("has the right mode again")
      }
    } catch {
      finding.repair = .failed(error)
    }
    return finding
  }

  /// Notes a missing file that may be put back, and puts off any other repair.
  private func putOff(_ finding: VerifyFinding, _ remedy: Remedy) -> VerifyFinding? {
    switch remedy {
    case .file(let row, .missing) where finding.kind == .fileMissing:
      note(finding, of: row, .missing)
      return nil
    case .thumbnail(let row) where finding.kind == .thumbnailMissing:
      thumbnails.append((finding, row))
      return nil
    default:
      var finding = finding
      finding.repair = .failed(
        remedy.promise.map { _ in
          "while none of the recordings' files is there, only missing files are put back; repair "
            + "again afterwards"
        })
      return finding
    }
  }

  /// Lets recovery finish or undo an interrupted command, and moves its leftovers into quarantine.
  ///
  /// - Returns: What was done; `nil` for a file that is still missing.
  private func recover(_ finding: VerifyFinding) throws -> String? {
    try underLock { lock in
      guard try isLeft(finding) else { return "is repaired" }
      guard RelativePath(finding.path) == nil else { return nil }
      // In quarantine, erased data would outlast the erase.
      guard try library.catalog.erasure.current() == nil else {
        throw HoldfastError(
          .unfinishedErasure, "not moved: the next command that writes finishes the erasure first")
      }
      let quarantine = try quarantine(under: lock)
      try quarantine.move(
        Array(finding.path.utf8), note: "recovery did not know what to do with it", under: lock)
      return "is in .quarantine/\(quarantine.name)"
    }
  }

  private func isLeft(_ finding: VerifyFinding) throws -> Bool {
    if let path = RelativePath(finding.path) { return try tree.status(of: path) == .missing }
    return try tree.contents.leftovers().contains {
      !$0.isAtWork && finding.path == $0.path.escapedForDisplay
    }
  }

  /// Notes a case. The repair looks for each recording's file once, however many findings there
  /// are.
  private func note(_ finding: VerifyFinding, of row: StoredFiles, _ fault: RecordingFault) {
    cases.append(Case(finding: finding, row: row, fault: fault))
  }

  // MARK: Unknown files

  /// Moves a file without a row to the recording that misses it, or into quarantine.
  ///
  /// - Returns: What was done; `nil` for a recording's own file, if only its row is wrong.
  private func moveUnknownFile(_ entry: ScannedEntry) throws -> String? {
    let read = try read(entry)
    return try underLock { lock in
      if let path = entry.path, try tree.status(of: path) == .missing { return "is gone now" }
      if entry.kind == .regular, let path = entry.path, let id = path.ownerID,
        let row = try library.catalog.files.find(id: id)
      {
        if [row.filePath, row.thumbnailPath].contains(path.string) {
          return "now belongs to a \(row.type == nil ? "row" : "recording")"
        }
        let isOwn =
          path == row.ownPath || row.type == .video && path == .thumbnail(id: id)
        if isOwn { return nil }
      }
      let now = try? tree.openForReading(bytes: entry.bytes).identity()
      let hash = now == read?.identity ? read?.hash : nil
      for row in try hash.map(library.catalog.files.matching(sha256:)) ?? [] {
        guard let path = RelativePath(row.filePath), try tree.status(of: path) == .missing else {
          continue
        }
        try tree.move(entry.bytes, to: path, under: lock)
        return "is back as the file of the \(row.type == nil ? "photo" : "recording") "
          + row.id.short
      }
      let quarantine = try quarantine(under: lock)
      try quarantine.move(entry.bytes, note: "the catalog knew nothing about it", under: lock)
      return "is in .quarantine/\(quarantine.name)"
    }
  }

  /// Returns the hash of a file without a row, and the identity of the file that was hashed; `nil`
  /// if it is not a file, or no recording's file has its size.
  private func read(
    _ entry: ScannedEntry
  ) throws -> (identity: FileIdentity, hash: SHA256Digest)? {
    // No other file is read: it may have any size.
    guard entry.kind == .regular, try library.catalog.files.contains(size: entry.identity.size)
    else { return nil }
    do {
      let file = try tree.openForReading(bytes: entry.bytes)
      return (try file.identity(), try file.sha256(until: StopFlag()))
    } catch let error as HoldfastError where error.layer == .storage && error.code == .missing {
      return nil
    }
  }

  /// Returns the quarantine of this repair, which is made when it is first needed.
  private func quarantine(under lock: borrowing WriterLock) throws -> Quarantine {
    if let quarantine { return quarantine }
    let made = try tree.quarantines.make(at: began, under: lock)
    quarantine = made
    return made
  }

  private func moveAside(_ path: String, of row: StoredFiles, _ note: String) throws {
    try underLock { lock in
      try moveAside(path, of: row, keepingName: false, note, under: lock)
    }
  }

  /// Moves whatever is at a recording's path into quarantine. Does nothing if nothing is there.
  ///
  /// A file that is about to be replaced keeps its name until then.
  ///
  /// - Throws: `HoldfastError` if something is there although only missing files may be put back.
  func moveAside(
    _ text: String, of row: StoredFiles, keepingName keepsName: Bool = true, _ note: String,
    under lock: borrowing WriterLock
  ) throws {
    guard let path = RelativePath(text), path.ownerID == row.id,
      try library.catalog.files.contains(id: row.id)
    else { return }
    let status = try tree.status(of: path)
    guard status != .missing else { return }
    guard !onlyPutsBack else {
      throw HoldfastError(.placeTaken, "something else is in its place now")
    }
    try quarantine(under: lock).move(
      Array(text.utf8), keepingName: keepsName && status != .notRegular, note: note, under: lock)
  }

  // MARK: The end

  /// Looks for files that are missing or damaged, marks those that are not found, and makes
  /// thumbnails again.
  func finish(_ tell: (VerifyFinding) -> Void) async throws {
    guard isCatalogSound else {
      for var finding in cases.map(\.finding) + thumbnails.map(\.finding) {
        finding.repair = .failed(nil)
        tell(finding)
      }
      return
    }
    let (outcomes, unread) = try await findFiles()
    for var item in cases {
      switch outcomes[item.row.id] {
      case .success(let words): item.finding.repair = .done(words)
      case .failure(let error):
        item.finding.repair = .failed(error)
        mark(item)
      case nil where (try? library.catalog.files.find(id: item.row.id)) == .some(nil):
        item.finding.repair = .failed("it was just deleted")
      case nil:
        let place =
          backups.isEmpty
          ? "not found in quarantine" : "found neither in quarantine nor in the backups"
        item.finding.repair = .failed(place + (unread.map { "; \($0)" } ?? ""))
        if backups.isEmpty { item.finding.help = .backup }
        mark(item)
      }
      tell(item.finding)
    }
    try await remakeThumbnails(tell)
  }

  /// Stores the fault of a recording's file in its row. If that fails, on a full disk for example,
  /// the repair goes on: the fault will be found again.
  private func mark(_ item: Case) {
    // The file may be on a disk that is not mounted.
    guard !onlyPutsBack else { return }
    try? underLock { _ in
      // Another repair may have repaired it meanwhile.
      guard try library.catalog.files.find(id: item.row.id)?.isSame(as: item.row) == true else {
        return
      }
      try library.catalog.files.setFaults([item.row.id: item.fault], at: began)
    }
  }
}

extension VerifyFinding.Repair {
  static func failed(_ error: any Error) -> VerifyFinding.Repair {
    .failed("could not be repaired: " + HoldfastError.explanation(of: error))
  }
}
