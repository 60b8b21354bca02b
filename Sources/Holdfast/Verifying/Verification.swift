import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// One verification of a library: of its catalog, its files and, on request, every byte of them.
final class Verification {
  let library: Library
  let tree: LibraryTree
  let options: VerifyOptions
  let report: (VerifyEvent) -> Void
  /// The repair of the findings; `nil` if nothing is to be repaired.
  let repair: Repair?
  let pause: WriterPause
  var summary = VerifySummary()
  var notes = Notes()
  let began = Date()

  init(
    _ library: Library, in tree: LibraryTree, _ options: VerifyOptions,
    report: @escaping (VerifyEvent) -> Void
  ) throws {
    self.library = library
    self.tree = tree
    self.options = options
    self.report = report
    pause = WriterPause(of: tree)
    repair = options.repairs ? try Repair(library, in: tree, options) : nil
  }

  func run() async throws -> VerifySummary {
    for finding in try wholeCatalog(library.catalog.integrity.findings) {
      repair?.isCatalogSound = false
      try found(VerifyFinding(.catalogDamaged, path: "catalog.sqlite", detail: finding))
    }
    for finding in try wholeCatalog(library.catalog.integrity.referenceFindings) {
      try found(VerifyFinding(.brokenLink, path: "catalog.sqlite", detail: finding))
    }
    for part in [verifyRows, verifyTree, verifyLeftovers, verifyRecords, verifyWords] {
      try Task.checkCancellation()
      do { try part() } catch { try reportOrThrow(error) }
    }
    try storeNotes()
    try Task.checkCancellation()
    if options.readsAll || options.decodes {
      do { try await readAll() } catch {
        // The findings so far are repaired even if this error ends the verification, unless it was
        // cancelled: then the user does not want to wait for a repair.
        if VerifyFinding(error, in: tree) == nil, !(error is CancellationError) {
          try await repair?.finish(tell)
        }
        try reportOrThrow(error)
      }
    }
    try await repair?.finish(tell)
    summary.lockTimeout = summary.lockTimeout ?? pause.unmet
    return summary
  }

  /// Runs a check that reads the whole catalog at once.
  ///
  /// For a large catalog this takes long, and no command can write meanwhile. So it holds the
  /// writer lock, where writers wait longer before they give up than they do in SQLite. If the lock
  /// cannot be taken, the check is skipped, and a repair ends with an error.
  private func wholeCatalog(_ read: () throws -> [String]) throws -> [String] {
    // The size of a damaged catalog may be unknown.
    let isSmall = ((try? library.catalog.compaction.byteCount()) ?? 0) <= Compaction.mostBytesAtOnce
    if isSmall { return try read() }
    if let findings = try pause.readUnlessLocked(read) { return findings }
    // With a damaged catalog, recordings would seem to have no rows.
    if repair != nil, let timeout = pause.unmet { throw timeout }
    summary.isCatalogUnchecked = true
    return []
  }

  /// Reports a finding. If there is a repair, the repair comes first.
  func found(_ finding: VerifyFinding, _ remedy: Remedy = .none) throws {
    if let (row, fault) = remedy.fault, row.fault != fault { notes.faults[row.id] = fault }
    var finding = finding
    guard let repair else {
      if let promise = remedy.promise { finding.repair = .possible(promise) }
      if case .file = remedy { finding.help = .backup }
      return tell(finding)
    }
    guard let repaired = try repair.apply(remedy, to: finding) else { return }
    tell(repaired)
  }

  func tell(_ finding: VerifyFinding) {
    summary.findings += 1
    if finding.repair.isDone { summary.repaired += 1 }
    report(.found(finding))
  }

  /// Reports an error that cut one part of the verification short as a finding, so that the next
  /// part can run. Throws any other error.
  private func reportOrThrow(_ error: any Error) throws {
    guard let finding = VerifyFinding(error, in: tree) else { throw error }
    if finding.kind == .catalogDamaged { repair?.isCatalogSound = false }
    try found(finding)
  }

  // MARK: Rows

  private func verifyRows() throws {
    var last: String?
    while true {
      if let page = try page(after: last) {
        last = page.last?.id.uuidString
        summary.recordings += page.count { $0.recordingID != nil }
        for row in page { try verify(row) }
      } else {
        last = try verifySingly(after: last)
      }
      if last == nil { break }
    }
  }

  /// Returns the next rows, or `nil` if one of them cannot be read.
  private func page(after last: String?) throws -> [StoredFiles]? {
    do {
      return try library.catalog.files.page(after: last)
    } catch HoldfastError.Code.unreadableRow {
      return nil
    }
  }

  /// Verifies a page row by row when one of its rows cannot be read, so that the others are
  /// verified.
  ///
  /// - Returns: The ID at the end of the page, as it is stored; `nil` if no page follows.
  private func verifySingly(after last: String?) throws -> String? {
    let ids = try library.catalog.recordings.ids(after: last)
    for id in ids {
      do {
        guard let id = UUID(uuidString: id), let row = try library.catalog.files.find(id: id)
        else {
          continue  // SQLite's own check has reported the invalid ID.
        }
        summary.recordings += 1
        try verify(row)
      } catch let error as HoldfastError where error.code == .unreadableRow {
        try reportOrThrow(error)
      }
    }
    for photo in try library.catalog.files.photos(after: last, through: ids.last) {
      try verify(photo)
    }
    return ids.last
  }

  private func verify(_ row: StoredFiles) throws {
    for (finding, remedy) in try findings(row) {
      // The row may be in the middle of being deleted. Then it is gone once the lock is free.
      let stands = try pause.read {
        try library.catalog.files.contains(id: row.id)
          && findings(row).contains { $0.finding == finding }
      }
      guard stands else { continue }
      if options.readsAll, finding.kind == .wrongSize, let owner = owner(of: row.filePath, row) {
        var misplaced = VerifyFinding(
          .contentMisplaced, path: finding.path, recording: row.recordingID,
          detail: Self.bytes(of: owner))
        misplaced.since = row.faultySince
        try found(misplaced, .foreignFile(row))
        continue
      }
      try found(finding, remedy)
      // A repair gives the row other paths.
      if case .ownPaths = remedy, repair != nil,
        let now = try library.catalog.files.find(id: row.id), !now.isSame(as: row)
      {
        try verify(now)
      }
    }
  }

  private func findings(_ row: StoredFiles) throws -> [(finding: VerifyFinding, remedy: Remedy)] {
    var findings: [(VerifyFinding, Remedy)] = []
    if let finding = finding(
      row.filePath, row.ownPath, size: row.fileSize, of: row)
    {
      findings.append(finding)
    }
    if let thumbnail = row.thumbnailPath,
      let finding = finding(thumbnail, .thumbnail(id: row.id), size: nil, of: row)
    {
      findings.append(finding)
    }
    return findings
  }

  /// Returns the fault of one of a row's paths.
  ///
  /// - Parameters:
  ///   - own: The path that the file should have.
  ///   - size: The size that the file should have; `nil` for a thumbnail, whose size is not stored.
  private func finding(
    _ text: String, _ own: RelativePath, size: Int64?, of row: StoredFiles
  ) -> (VerifyFinding, Remedy)? {
    func wrong(
      _ kind: VerifyFinding.Kind, detail: String, remedy: Remedy
    ) -> (VerifyFinding, Remedy) {
      var finding = VerifyFinding(
        kind, path: text.escapedForDisplay, recording: row.recordingID, detail: detail)
      if size != nil { finding.since = row.faultySince }
      return (finding, remedy)
    }
    guard let path = RelativePath(text) else {
      return wrong(
        .badPath,
        detail: "the catalog's path is not under \(RelativePath.root)/; it was not followed",
        remedy: .ownPaths(row))
    }
    guard path == own else {
      return wrong(
        .wrongName, detail: "is not the name of this recording, \(own)", remedy: .ownPaths(row))
    }
    let isThumbnail = size == nil
    do {
      switch try tree.status(of: path) {
      case .missing where try tree.contents.isInTrash(path, of: row.id):
        return wrong(
          isThumbnail ? .thumbnailMissing : .fileMissing,
          detail:
            "an interrupted deletion has left it in .trash; the next command that writes puts it "
            + "back, after a day if the deletion is another computer's",
          remedy: .recovery)
      case .missing:
        return isThumbnail
          ? wrong(.thumbnailMissing, detail: "the thumbnail is missing", remedy: .thumbnail(row))
          : wrong(
            .fileMissing, detail: "\(row.noun) is missing", remedy: .file(row, .missing))
      case .notRegular:
        return wrong(
          .notAFile, detail: "is a folder, link or device instead of a file",
          remedy: isThumbnail ? .thumbnail(row) : .file(row, .missing))
      case .regular(let bytes):
        guard let size else { return nil }
        guard bytes != size else { return knownFault(of: row) }
        return wrong(
          .wrongSize, detail: "has \(bytes) bytes instead of \(size)", remedy: .file(row, .damaged))
      }
    } catch {
      return wrong(
        .unreadable, detail: HoldfastError.explanation(of: error),
        remedy: isThumbnail ? .none : .unreadable(row))
    }
  }

  /// Returns the fault of a file that seems to be right. It is reported until the file is read
  /// again.
  private func knownFault(of row: StoredFiles) -> (VerifyFinding, Remedy)? {
    guard let fault = row.fault, !options.readsAll else { return nil }
    let (kind, detail): (VerifyFinding.Kind, String) =
      switch fault {
      case .damaged:
        (.contentChanged, "its bytes were not those that were written when it was last read")
      case .missing:
        (.fileMissing, "was missing before, and was not read since it is back; --deep reads it")
      }
    var finding = VerifyFinding(
      kind, path: row.filePath.escapedForDisplay, recording: row.recordingID, detail: detail)
    finding.since = row.faultySince
    return (finding, .file(row, fault))
  }

  /// Returns the recording to which the bytes at another recording's path belong; `nil` if there is
  /// none, or it cannot be determined.
  private func owner(of path: String, _ row: StoredFiles) -> RecordingID? {
    guard let file = try? RelativePath(path).map(tree.openForReading),
      // No other file is read: it may have any size.
      let size = try? file.identity().size,
      (try? library.catalog.files.contains(size: size)) == true,
      let hash = try? file.sha256(until: StopFlag())
    else { return nil }
    return try? library.catalog.files.matching(sha256: hash).first { $0.id != row.id }?.id
  }

  static func bytes(of owner: RecordingID) -> String {
    "has the bytes of the recording \(owner.short)"
  }

  // MARK: The tree

  private func verifyTree() throws {
    if let finding = VerifyFinding.modesOfMount(of: tree) { try found(finding) }
    let hasModes = tree.modeOfMount == nil
    let entries = try tree.contents.ownEntries()
    let owner = entries.first?.identity.owner
    for entry in entries {
      if entry.kind == .symbolicLink {
        try found(
          VerifyFinding(
            .link, path: entry.description,
            detail: "is a symbolic link, which Holdfast neither makes nor follows"
          ))
      }
      try verifyRights(entry, owner, hasModes: hasModes)
    }
    try tree.contents.scan { entry in
      try verifyRights(entry, owner, hasModes: hasModes)
      do { try verify(entry) } catch { try reportOrThrow(error) }
    } orFail: {
      try reportOrThrow($0)
    }
  }

  private func verify(_ entry: ScannedEntry) throws {
    let unknown = UnknownFiles(catalog: library.catalog, tree: tree, pause: pause)
    guard try unknown.contains(entry) else { return }
    let isLink = entry.kind == .symbolicLink
    try found(
      VerifyFinding(
        isLink ? .link : .unknownFile, path: entry.description,
        detail: isLink
          ? "is a symbolic link, which Holdfast neither makes nor follows"
          : "the catalog knows nothing about it"),
      .unknownFile(entry))
  }

  private func verifyRights(
    _ entry: ScannedEntry, _ owner: UInt32?, hasModes: Bool
  ) throws {
    let path = entry.description
    if let owner, entry.identity.owner != owner {
      try found(
        VerifyFinding(
          .wrongOwner, path: path,
          detail: "belongs to user \(entry.identity.owner), the library to user \(owner); "
            + "use chown"))
    }
    guard hasModes, let mode = entry.privatePermissions,
      entry.identity.permissions != mode
    else { return }
    try found(
      VerifyFinding(
        .wrongMode, path: path,
        detail: "has mode \(String(entry.identity.permissions, radix: 8)) instead of "
          + String(mode, radix: 8)),
      .rights(entry))
  }

  private func verifyLeftovers() throws {
    var leftovers = try tree.contents.leftovers()
    if leftovers.contains(where: { !$0.isAtWork }) {
      // A staging folder that is just being made may not be locked yet.
      leftovers = try pause.read { try tree.contents.leftovers() }
    }
    for leftover in leftovers where !leftover.isAtWork {
      try found(
        VerifyFinding(
          leftover,
          "an interrupted command left it; the next command that writes repairs it, or moves it "
            + "into .quarantine after a day if it may be another computer's"),
        .recovery)
    }
  }
}

enum Remedy {
  /// Nothing: the user must act.
  case none
  /// Nothing: the recording's file cannot be examined.
  case unreadable(StoredFiles)
  /// Let recovery deal with it.
  case recovery
  /// Give the row the paths of its own recording.
  case ownPaths(StoredFiles)
  /// Look for the recording's file.
  case file(StoredFiles, RecordingFault)
  /// Move the file away, because it is another recording's, and look for the right one.
  case foreignFile(StoredFiles)
  /// Set the row's length to the file's, in seconds.
  case length(StoredFiles, Double)
  /// Make the thumbnail again.
  case thumbnail(StoredFiles)
  /// Move the file to the recording that misses it, or into quarantine.
  case unknownFile(ScannedEntry)
  /// Remove the permissions of everyone but the owner.
  case rights(ScannedEntry)

  /// The row and the fault of the media file that it repairs; `nil` if it repairs anything else.
  var fault: (row: StoredFiles, RecordingFault)? {
    switch self {
    case .file(let row, let fault): (row, fault)
    case .foreignFile(let row), .unreadable(let row): (row, .damaged)
    case .none, .recovery, .ownPaths, .length, .thumbnail, .unknownFile, .rights: nil
    }
  }

  /// What a repair would do, to follow "a repair would".
  var promise: String? {
    switch self {
    case .none, .unreadable: nil
    case .recovery: "repair it, or move it into .quarantine"
    case .ownPaths: "give the row the recording's own paths"
    case .file: "look for the right file in quarantine"
    case .foreignFile: "move it away, and look for the right file"
    case .length: "give the row the file's length"
    case .thumbnail: "make it again"
    case .unknownFile: "move it to the recording that lacks it, else into .quarantine"
    case .rights: "set the right mode"
    }
  }
}
