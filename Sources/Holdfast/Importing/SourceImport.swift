internal import Foundation
internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport

/// One source's way into the library (DESIGN §2): each step takes what the one before gave, and
/// nothing goes back.
struct SourceImport: Sendable {
  /// A header that claims more than the cap is believed, unmeasured, only of files from this size
  /// on: smaller ones are read through in a moment, and then the measured length stands.
  private static let plainlyTooLongFrom: Int64 = 256 << 20
  /// Room that the disk must have beside the output itself, for the catalog and its journal.
  private static let spareBytes: Int64 = 16 << 20

  let item: ImportItem
  let library: Library
  let engine: any MediaEngine
  let options: ImportOptions
  let planned: PlannedSources
  let report: @Sendable (ImportEvent) -> Void
  /// The identity of the staging folder, and of the first recording.
  private let id = RecordingID()

  init(
    _ item: ImportItem, into library: Library, engine: any MediaEngine, options: ImportOptions,
    planned: PlannedSources, report: @escaping @Sendable (ImportEvent) -> Void
  ) {
    self.item = item
    self.library = library
    self.engine = engine
    self.options = options
    self.planned = planned
    self.report = report
  }

  /// Imports the source, and says how it ended.
  func run() async -> ImportEvent {
    do {
      return try await examine()
    } catch is CancellationError {
      return .interrupted(item)
    } catch {
      return .failed(item, LibraryError(itemFailure: error, of: item.path))
    }
  }

  /// Opens, hashes and measures the source; converts it if it is new and short enough.
  private func examine() async throws -> ImportEvent {
    try Task.checkCancellation()
    let path = item.path
    let file = try await onOwnThread { _ in try SourceFile.open(path) }
    let identity = try file.identity()
    let header = try await probeHeader(file)
    if let photo = try await photoOfLivePhoto(file, header) {
      return .skipped(item, .livePhoto(photo: photo))
    }

    let staging = try await stagingForRemote(file)
    do {
      let source = try await read(file, identity: identity, into: staging)
      if let known = try await known(source.hash) {
        try await remove(staging)
        return .skipped(item, .duplicate(of: known))
      }
      // What this says decides whether the source may go.
      let info =
        options.movesSources
        ? try await engine.probeAlone(source.media, depth: .packets)
        : try await engine.probe(source.media, depth: .packets)
      let recorded = RecordingTimestamp(
        of: info, name: item.path.name, identity: identity, now: Date())
      let plans = try ConversionPlan.parts(
        of: info, options: options.conversion, creationTime: recorded.date)
      if options.isDryRun { return try planImport(of: source, plans) }
      let tree = try library.writableTree()
      try refuseIfDiskIsFull(identity.size, tree)
      let prepared = PreparedSource(
        source: source, info: info, plans: plans, recorded: recorded,
        mayEncode: options.conversion.video != .copy, verifiesDecode: options.verifiesDecode)
      return try await convert(prepared, tree: tree, staging: staging)
    } catch {
      try? await remove(staging)
      // Whatever went wrong with it, that it changed is what a person can do something about.
      if !(error is CancellationError) { try refuseIfChanged(file, since: identity) }
      throw error
    }
  }

  /// Says what an import would do, as far as it can be known without converting.
  private func planImport(of source: HashedSource, _ plans: [ConversionPlan]) throws -> ImportEvent
  {
    try refuseIfDiskIsFull(source.identity.size, library.tree)
    try refuseIfChanged(source.original, since: source.identity)
    if !options.allowsDuplicates, let first = planned.item(with: source.hash, orElse: item) {
      return .skipped(item, .repetition(of: first))
    }
    return .skipped(item, .dryRun(plans))
  }

  private func refuseIfChanged(_ file: OpenFile, since identity: FileIdentity) throws {
    guard try file.identity() == identity else {
      throw LibraryError(
        .sourceChanged, "changed while it was read; wait until it is complete and import it again")
    }
  }

  /// Reads the header, and refuses what is plainly too long.
  private func probeHeader(_ file: OpenFile) async throws -> MediaInfo {
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: item.path.name), depth: .header)
    if options.conversion.overLimit == .refuse, let duration = info.duration,
      duration > RecordingLimit.longest,
      info.fileSize >= Self.plainlyTooLongFrom
    {
      throw MediaError.overLimit(seconds: duration)
    }
    return info
  }

  /// A source on another machine or a phone is copied once, while it is hashed, and then worked on
  /// here. Everything else is worked on where it lies.
  private func stagingForRemote(_ file: OpenFile) async throws -> Staging? {
    guard !options.isDryRun, SourceFile.isRemote(file) else { return nil }
    let tree = try library.writableTree()
    // Room for the copy, and for what is made of it.
    try refuseIfDiskIsFull(try file.identity().size, times: 2, tree)
    return try await makeStaging(in: tree)
  }

  private func read(
    _ file: OpenFile, identity: FileIdentity, into staging: Staging?
  ) async throws -> HashedSource {
    try await onOwnThread { stop in
      let copy = try staging?.createFile(named: HashedSource.copyName)
      let hash = try file.sha256(copyingTo: copy, until: stop)
      return HashedSource(
        original: file, identity: identity, readable: copy ?? file, name: item.path.name,
        hash: hash)
    }
  }

  private func known(_ hash: SHA256Digest) async throws -> RecordingID? {
    guard !options.allowsDuplicates else { return nil }
    return try await onOwnThread { _ in try library.catalog.recording(ofSource: hash)?.id }
  }

  private func refuseIfDiskIsFull(
    _ bytes: Int64, times copies: Int64 = 1, _ tree: LibraryTree
  ) throws {
    // A copy is as large as its source; an encode is hardly ever larger, and if it is, the write
    // that fails says so.
    // A server may claim any size.
    let needed = min(bytes, 1 << 60) * copies + Self.spareBytes
    let free = try tree.availableBytes()
    guard free >= needed else {
      throw LibraryError(
        .noSpace,
        "needs about \(needed.megabytes) in \(tree.path.escapedForDisplay), where "
          + "\(free.megabytes) are free; make room and import it again")
    }
  }

  /// Converts into staging, and publishes what came out: all parts of the source, or none.
  private func convert(
    _ prepared: PreparedSource, tree: LibraryTree, staging existing: Staging?
  ) async throws -> ImportEvent {
    let staging: Staging
    if let existing { staging = existing } else { staging = try await makeStaging(in: tree) }
    do {
      var recordings: [Recording] = []
      var thumbnails: [RecordingID: ThumbnailRecord] = [:]
      var warnings: [String] = []
      for part in prepared.plans.indices {
        let output = try await StagedConversion(
          prepared, part: part, id: part == 0 ? id : RecordingID(), staging: staging, engine: engine
        ) { done in
          report(.progress(item, (Double(part) + done) / Double(prepared.plans.count)))
        }.run()
        recordings.append(recording(of: output, prepared, part: part))
        thumbnails[output.id] = output.thumbnail?.record
        for warning in output.report.warnings where !warnings.contains(warning) {
          warnings.append(warning)
        }
      }
      let (made, pictures, said) = (recordings, thumbnails, warnings)
      let reports = made.compactMap(\.ingestion.conversion)
      try await onOwnThread { stop in
        try stop.check()
        if prepared.source.isCopied { try staging.removeFile(named: HashedSource.copyName) }
        try staging.seal(recordings: made.map(\.id))
      }
      // From when it has the lock it is finished, not undone: it takes no longer.
      return try await onOwnThread { stop in
        let event = try publish(
          made, pictures, from: prepared.source, tree: tree, staging: staging, warnings: said,
          until: stop)
        return movingSource(after: event, prepared, reports)
      }
    } catch {
      if existing == nil { try? await remove(staging) }
      throw error
    }
  }

  private func recording(
    of output: StagedConversion.Output, _ prepared: PreparedSource, part: Int
  ) -> Recording {
    let plan = output.report.plan
    // A part was recorded when its stretch of the source was.
    let offset = plan.start.seconds - (prepared.plans.first?.start.seconds ?? 0)
    let recorded = RecordingTimestamp(
      date: prepared.recorded.date + offset, offsetMinutes: prepared.recorded.offsetMinutes,
      source: prepared.recorded.source)
    var ingestion = output.ingestion(of: prepared.source)
    ingestion.part = part + 1
    ingestion.partCount = prepared.plans.count
    return Recording(
      id: output.id, recorded: recorded, type: plan.type, purpose: options.purpose,
      duration: output.duration, title: options.title, notes: options.notes, createdAt: Date(),
      ingestion: ingestion)
  }

  /// The commit: under the writer lock the source is looked at once more, the files get their
  /// names, and the rows are written. A row always refers to complete, durable files.
  private func publish(
    _ recordings: [Recording], _ thumbnails: [RecordingID: ThumbnailRecord],
    from source: HashedSource, tree: LibraryTree, staging: Staging, warnings: [String],
    until stop: StopFlag
  ) throws -> ImportEvent {
    let catalog = library.catalog
    let event: ImportEvent = try tree.withWriterLock(until: stop) { lock in
      // First: moving a source changes what else is a name of the same file.
      if !options.allowsDuplicates, let known = try catalog.recording(ofSource: source.hash) {
        return .skipped(item, .duplicate(of: known.id))
      }
      try refuseIfChanged(source.original, since: source.identity)
      // In the folder that a disk's was mounted over, nobody would find them again.
      try library.refuseIfOffline("It was not imported")
      let paths = recordings.flatMap { [$0.filePath, $0.thumbnailPath].compactMap { $0 } }
      try staging.publish(paths.map { ($0.name, $0) }, under: lock)
      do {
        try catalog.insert(recordings, thumbnails: thumbnails)
      } catch {
        guard areCommitted(recordings, tree) else {
          try withdraw(recordings, staging, under: lock)
          throw error
        }
      }
      return .imported(item, recordings, warnings: warnings, source: .untouched)
    }
    // The rows are in; a staging folder that stays behind is recovery's to remove.
    try? staging.remove()
    return event
  }

  /// Whether a commit that failed has come about nevertheless: all but the end of its journal was on
  /// the disk, and now that is as well.
  private func areCommitted(_ recordings: [Recording], _ tree: LibraryTree) -> Bool {
    let catalog = library.catalog
    let stand = try? recordings.allSatisfy { try catalog.hasRecording(id: $0.id) }
    return stand == true && (try? tree.sync()) != nil
  }

  /// Takes the files back, since their rows could not be written: only those that surely have no
  /// rows. A commit may have failed after it was made, and its journal may still undo it; then
  /// recovery sees which it was.
  private func withdraw(
    _ recordings: [Recording], _ staging: Staging, under lock: borrowing WriterLock
  ) throws {
    let catalog = library.catalog
    let mayHaveRow = (try? recordings.contains { try catalog.hasRecording(id: $0.id) }) ?? true
    if mayHaveRow { staging.leaveToRecovery() } else { try staging.withdraw(under: lock) }
  }

  private func makeStaging(in tree: LibraryTree) async throws -> Staging {
    try await onOwnThread { stop in
      try tree.withWriterLock(until: stop) { try tree.makeStaging(id: id, under: $0) }
    }
  }

  private func remove(_ staging: Staging?) async throws {
    try await onOwnThread { _ in try staging?.remove() }
  }
}

extension Int64 {
  /// The number of bytes as a person reads it.
  var megabytes: String { "\(Swift.max(self, 0) / 1_000_000) MB" }
}
