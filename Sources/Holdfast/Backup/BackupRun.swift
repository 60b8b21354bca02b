import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport
import Synchronization

/// One backup of a library.
///
/// Under the writer lock, the catalog is copied in one step, and the files that must be copied get
/// a second name in staging, so that a deletion does not remove them. They are copied after the
/// lock is released.
struct BackupRun: Sendable {
  let library: Library
  let path: SourcePath
  let options: BackupOptions
  let report: @Sendable (BackupEvent) -> Void
  let stop: StopFlag

  /// A file for the backup.
  struct Wanted {
    /// The path relative to the library's folder.
    let path: [UInt8]
    let bagPath: String
    /// The hash that the catalog names; `nil` for a file that no row names.
    var hash: SHA256Digest?
    var size: Int64
    /// Its state in the last backup; `nil` as long as that is not known.
    var earlier: Earlier?
    /// The number of its name in staging; `nil` if it has none.
    var pin: Int?

    init(
      _ path: some Sequence<UInt8>, as name: String? = nil, hash: SHA256Digest? = nil, size: Int64
    ) {
      self.path = Array(path)
      bagPath = "\(Bag.payload)/\(name ?? Bag.name(forFile: self.path))"
      self.hash = hash
      self.size = size
    }

    /// Makes a file that only the last backup is known to have, from its path in the bag.
    init(ofLast bagPath: String) {
      path = Array(bagPath.utf8.dropFirst(Bag.payload.utf8.count + 1))
      self.bagPath = bagPath
      size = -1
    }

    var displayPath: String { SourcePath(bytes: path).description }
  }

  /// The last backup, from which unchanged files are reused.
  struct Previous {
    let bag: Bag
    let manifest: BagManifest
    let files: FolderFiles

    /// Returns the hash that it lists for a file; `nil` if it lists none.
    ///
    /// - Throws: `WritingFailure` when its list cannot be read any more. The only good copy may be
    ///   there, so nothing may replace that backup.
    func hash(of file: Wanted) throws -> SHA256Digest? {
      do { return try manifest.hash(of: file.bagPath.utf8) } catch {
        throw WritingFailure(reason: error)
      }
    }
  }

  // MARK: A backup

  /// Makes the backup, or reports what a backup would do.
  func run() throws {
    do {
      options.isDryRun ? try plan() : try make()
    } catch {
      let cause = (error as? WritingFailure)?.reason ?? error
      guard var failure = cause as? HoldfastError else { throw cause }
      // An unfinished backup has a temporary name, so the error shows the final one. Only a file in
      // its way really has the temporary name.
      if failure.code != .exists { failure.path = failure.path.map(BagWriter.final) }
      throw failure
    }
  }

  private func make() throws {
    let folder = try BackupFolder.openForWriting(at: path)
    if let settled = try folder.settleUpdate() {
      report(.settled(isFinished: settled == .finished))
    }
    // A backup is worth more than a tidy folder.
    tidying(folder.path) { () throws(HoldfastError) in
      if try folder.removeLeftovers() { report(.cleaned) }
    }
    let bags = try bags(in: folder)
    let hasLinks = try folder.hasLinks()
    // Without links, a bag's files can be reused only by updating the bag.
    let (previous, hasUnreadable) = try previous(bags, hasLinks: hasLinks)
    if options.links { try refuseToLink(into: folder, hasLinks: hasLinks) }
    // A bag that a user renamed is never updated.
    let updated = hasLinks || previous?.bag.hasOwnName != true ? nil : previous?.bag
    let writer = try folder.makeBag(at: Date(), updating: updated)
    let made: (summary: BackupSummary, copied: Int, bytes: Int64, failed: Int)
    do {
      let disk = Disk(ignoresCase: folder.ignoresCase, hasLinks: hasLinks)
      made = try write(writer, previous, on: disk)
    } catch {
      writer.close()
      _ = try? folder.settleUpdate()
      _ = try? folder.removeLeftovers()
      throw error
    }
    let old = bags.filter { $0.name != updated?.name && $0.hasOwnName }
    let isWhole = try made.failed + reportUnreadable(in: folder) == 0 && !hasUnreadable
    if isWhole, !options.verifies { removeOld(old, of: folder, now: made.summary.moment) }
    report(.finished(made.summary, copied: made.copied, bytes: made.bytes))
    // If something is wrong with a backup, an older one may be the only good one.
    if options.verifies, try verify(folder) == 0, isWhole {
      removeOld(old, of: folder, now: made.summary.moment)
    }
  }

  /// Reads all backups. Returns the number of findings.
  private func verify(_ folder: BackupFolder) throws -> Int {
    let count = Mutex(0)
    var verification = BagVerification(stop: stop) { event in
      if case .found(let finding) = event {
        count.withLock { $0 += 1 }
        report(.found(finding))
      }
      if case .read(let done, let total) = event { report(.verified(done, of: total)) }
    }
    try verification.verify(folder.bags())
    return count.withLock { $0 }
  }

  func refuseToLink(into folder: BackupFolder, hasLinks: Bool) throws {
    let path = folder.path.escapedForDisplay
    guard hasLinks else {
      throw HoldfastError(
        .noLinks, "nothing was backed up: \(path) is on a disk that has no hard links",
        path: folder.path)
    }
    guard try folder.isOnFilesystem(of: library.tree) else {
      throw HoldfastError(
        .noLinks, "nothing was backed up: \(path) is on another filesystem than the library",
        path: folder.path)
    }
  }

  private func write(
    _ writer: BagWriter, _ previous: Previous?, on disk: Disk
  ) throws -> (summary: BackupSummary, copied: Int, bytes: Int64, failed: Int) {
    var marker = library.tree.marker
    marker.backupFolder = nil
    try writer.write(marker.json(), to: Bag.marker)
    // SQLite would give the file another mode.
    _ = try writer.makeFile(Bag.catalog)
    let exporting = WorkAlongside { try export(writer) }
    var info: BagInfo
    let copied: Copied
    do {
      let (made, copy) = try snapshot(writer, after: previous, on: disk) {
        exporting.start()
      }
      (info, copied) = (made, try copy())
    } catch {
      exporting.end()
      throw error
    }
    let isExported = try value(of: exporting, writer)
    let failed = (isExported ? 0 : 1) + info.missing + copied.missing + copied.saved
    info.missing += copied.missing
    try writer.add(Bag.catalog)
    try writer.finish(info)
    let bag = try Bag.open(at: path.appending(writer.name.utf8))
    return (BackupSummary(bag), copied.count, copied.bytes, failed)
  }

  func copy(
    _ wanted: WantedFiles, _ previousCopies: [PreviousCopy], with writer: BagWriter,
    after previous: Previous?, in staging: Staging?
  ) throws -> Copied {
    var made = Copied()
    var unsaved = Unsaved()
    let total = previousCopies.count { $0.earlier != .same }
    var (index, done, pins) = (0, 0, 0)
    _ = try wanted.forEach { file in
      try stop.check()
      var file = file
      file.earlier = previousCopies[index].earlier
      if previousCopies[index].isPinned {
        file.pin = pins
        pins += 1
      }
      index += 1
      do {
        try bring(file, with: writer, after: previous, in: staging, &made)
      } catch let error where !(error is WritingFailure || error is CancellationError) {
        unsaved[file.hash, default: []].append((file, HoldfastError(itemFailure: error)))
      }
      guard file.earlier != .same else { return }
      done += 1
      report(.copied(done, of: total))
    }
    if let previous { try rescue(&unsaved, with: writer, after: previous, &made) }
    for (file, error) in unsaved.values.joined() {
      made.missing += 1
      report(.failed(path: file.displayPath, error))
    }
    return made
  }

  /// Brings a file into the backup, unless it is there: two rows may name one thumbnail.
  private func bring(
    _ file: Wanted, with writer: BagWriter, after previous: Previous?, in staging: Staging?,
    _ made: inout Copied
  ) throws {
    do {
      try bringNew(file, with: writer, after: previous, in: staging, &made)
    } catch let failure as WritingFailure where failure.reason.code == .exists {
      guard try !writer.has(file.bagPath, hash: file.hash) else { return }
      throw HoldfastError(
        .notBackedUp, "another row of the catalog names this file, with other bytes",
        cause: .error(failure.reason))
    }
  }

  /// Brings a file into the backup: from the last one, or from the library.
  private func bringNew(
    _ file: Wanted, with writer: BagWriter, after previous: Previous?, in staging: Staging?,
    _ made: inout Copied
  ) throws {
    var shared = Shared.no
    if let previous { shared = try share(file, with: writer, after: previous, in: staging) }
    switch shared {
    case .yes: return
    case .asLastGoodCopy(let error):
      made.saved += 1
      return report(.failed(path: file.displayPath, error))
    case .no, .unread: break
    }
    do {
      made.bytes += try copy(file, with: writer, in: staging)
      made.count += 1
    } catch let failure as WritingFailure where file.hash == nil && failure.isOfName {
      throw failure.reason
    } catch let error where !(error is WritingFailure || error is CancellationError) {
      // A file that cannot be read today may be the only copy. Without a hash, it is not known
      // which copy is right.
      var mayBeGood = file.hash == nil
      if case .unread = shared { mayBeGood = true }
      if mayBeGood, let previous, try isThere(file, in: previous),
        try linkFile(file, with: writer, after: previous)
      {
        made.saved += 1
        return report(.failed(path: file.displayPath, HoldfastError(itemFailure: error)))
      }
      throw error
    }
  }

  /// Whether the last backup has a file.
  ///
  /// - Throws: `WritingFailure` when its disk does not say, even now. The only good copy may be
  ///   there, so nothing may replace that backup.
  private func isThere(_ file: Wanted, in previous: Previous) throws -> Bool {
    do {
      return try previous.files.identity(of: file.bagPath.utf8) != nil
    } catch {
      throw WritingFailure(reason: error)
    }
  }

  /// Copies a file of the library, and returns its size in bytes.
  private func copy(_ file: Wanted, with writer: BagWriter, in staging: Staging?) throws -> Int64 {
    let bagPath = file.bagPath
    let source = try open(file, staging)
    if let pin = file.pin, let staging, options.links, let hash = file.hash {
      // Only recordings and thumbnails, which nothing changes in place.
      let isLinked = try writer.link(pinned: pin, in: staging, to: bagPath, until: stop) {
        $0 == hash
      }
      guard isLinked else { throw Self.otherBytes }
      return 0
    }
    let size = try writer.copy(source, to: bagPath, until: stop) { hash in
      file.hash == nil || hash == file.hash
    }
    guard let size else { throw Self.otherBytes }
    return size
  }

  /// Opens a file of the library, by its name in staging if it has one, because no command deletes
  /// that name.
  func open(_ file: Wanted, _ staging: Staging?) throws -> OpenFile {
    let source =
      if let pin = file.pin, let staging {
        try staging.openPinned(pin)
      } else {
        try library.tree.openForReading(bytes: file.path)
      }
    // A file without a hash, such as one in quarantine, is kept as it is.
    guard file.hash != nil else { return source }
    let limit = file.size < 0 ? ReadLimit.picture : max(file.size, ReadLimit.recording)
    guard try source.identity().size <= limit else { throw Self.otherBytes }
    return source
  }

  static let otherBytes = HoldfastError(
    .notBackedUp, "its bytes are not those that the catalog names; it is damaged")

  /// Waits for the export. An unreadable row drops the export, not the backup: then it returns
  /// `false`.
  private func value(of exporting: WorkAlongside<Void>, _ writer: BagWriter) throws -> Bool {
    do {
      try exporting.value()
      return true
    } catch {
      var error = HoldfastError(itemFailure: error)
      guard error.code == .unreadableRow else { throw error }
      error.path = error.path.map(BagWriter.final)
      try writer.remove(Bag.export)
      report(.failed(path: String(Bag.export.dropFirst(Bag.payload.count + 1)), error))
      return false
    }
  }

  private func export(_ writer: BagWriter) throws {
    let copy = try Library.open(
      at: LibraryLocation(path: "\(writer.path)/\(Bag.payload)"), for: .planning,
      journals: library.catalog.journals.known)
    // The copied catalog has the records of an unknown journal. An export would lose them.
    guard try copy.catalog.journals.unknown().isEmpty else { return }
    let file = try writer.makeFile(Bag.export)
    try copy.exportDocument { bytes in
      try stop.check()
      do throws(HoldfastError) { try file.write(ArraySlice(bytes)) } catch {
        throw WritingFailure(reason: error)
      }
    }
    try writer.add(Bag.export)
  }
}
