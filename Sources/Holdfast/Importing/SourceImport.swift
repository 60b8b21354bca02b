import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// The import of one source. Each step uses the result of the step before, and no step returns to
/// an earlier one.
struct SourceImport: Sendable {
  /// The smallest file, in bytes, that is refused because of the length in its header alone. A
  /// smaller file is read quickly, so its length is measured instead.
  private static let plainlyTooLongFrom: Int64 = 256 << 20
  /// The free space, in bytes, that the catalog and its journal need besides the output.
  private static let spareBytes: Int64 = 16 << 20

  let item: ImportItem
  let library: Library
  let engine: any MediaEngine
  let options: ImportOptions
  let planned: PlannedSources
  /// Writes the records that name the recording; `nil` if there are none.
  let records: RecordsOfRecording?
  let report: @Sendable (ImportEvent) -> Void
  /// The ID of the first recording.
  let id: RecordingID
  private let staging: ImportStaging
  /// The library's memory of the source; `nil` if it is not used.
  private let memory: SourceMemory?

  init(
    _ item: ImportItem, into library: Library, engine: any MediaEngine, options: ImportOptions,
    planned: PlannedSources, writing records: RecordsOfRecording? = nil,
    report: @escaping @Sendable (ImportEvent) -> Void
  ) {
    self.item = item
    self.library = library
    self.engine = engine
    self.options = options
    self.planned = planned
    self.records = records
    self.report = report
    id = item.app.flatMap { library.isFree($0.id) ? $0.id : nil } ?? RecordingID()
    // Another import may be bringing the same recording of an app.
    staging = ImportStaging(of: library, id: item.app == nil ? id : UUID())
    memory = SourceMemory(of: item, in: library, options)
  }

  func run() async -> ImportEvent {
    if await memory?.hasSeen == true { return .skipped(item, .seen) }
    let event = await event()
    await staging.remove()
    return await memory?.remembering(event) ?? event
  }

  private func event() async -> ImportEvent {
    do {
      return try await examine()
    } catch is CancellationError {
      return .interrupted(item)
    } catch {
      return .failed(item, HoldfastError(itemFailure: error, of: item.path))
    }
  }

  /// Opens, hashes and measures the source. Converts it if it is new and short enough.
  private func examine() async throws -> ImportEvent {
    try Task.checkCancellation()
    if let companion = try await companion() { return .skipped(item, companion) }
    try item.app?.validate()
    let file = try await open()
    let identity = try file.identity()
    // The other figures may change while the bytes stay the same: on another machine's disk, or
    // with another link to the file.
    if let named = item.named, !identity.hasSizeAndTime(of: named) {
      throw HoldfastError(
        .sourceChanged, "changed after it was complete; it is imported once it is complete again")
    }
    let header = try await probeHeader(file)
    if let photo = try await photoOfLivePhoto(file, header) {
      return .skipped(item, .livePhoto(photo: photo))
    }

    do {
      let source = try await read(file, identity: identity)
      if let known = try await known(source.hash) {
        try refuseIfLost(known)
        return .skipped(item, .duplicate(of: known))
      }
      // The result decides whether the source may be removed, so this probe must not run in a
      // worker that has read another file.
      let info = try await engine.probe(
        source.media, depth: .packets, isAlone: options.movesSources)
      let recorded = RecordingTimestamp(
        of: info, name: item.fileName, identity: identity, now: Date())
      let plans = try ConversionPlan.parts(
        of: info, options: options.conversion, creationTime: recorded.date)
      if options.isDryRun { return try planImport(of: source, plans) }
      let tree = try library.writableTree()
      try refuseIfDiskIsFull(identity.size, tree)
      let prepared = PreparedSource(
        source: source, info: info, plans: plans, recorded: recorded,
        mayEncode: options.conversion.video != .copy, verifiesDecode: options.verifiesDecode)
      return try await convert(prepared, tree: tree)
    } catch {
      // If the source changed, report that instead: it is the error that a user can act on.
      if !(error is CancellationError) { try refuseIfChanged(file, since: identity) }
      throw error
    }
  }

  private func open() async throws -> OpenFile {
    let item = item
    do {
      return try await onOwnThread { _ in try item.route.open() }
    } catch HoldfastError.Code.unsafePath where !item.route.followsLinks {
      throw HoldfastError(.sourceChanged, "a link has taken its place", path: "\(item.path)")
    }
  }

  /// Returns what an import would do, as far as that is known without converting.
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
      throw HoldfastError(.sourceChanged, "changed while it was read", operation: "read")
    }
  }

  /// Reads the header, and refuses a source that is plainly too long.
  private func probeHeader(_ file: OpenFile) async throws -> MediaInfo {
    let info = try await engine.probe(
      OpenMedia(descriptor: file.descriptor, name: item.fileName), depth: .header)
    if options.conversion.overLimit == .refuse, let duration = info.duration,
      duration > RecordingLimit.longest,
      info.fileSize >= Self.plainlyTooLongFrom
    {
      throw HoldfastError.overLimit(seconds: duration)
    }
    return info
  }

  /// Hashes the source.
  ///
  /// A source on another machine or a phone is copied into staging meanwhile, and the copy is used
  /// from then on. Other sources are read where they are.
  private func read(
    _ file: OpenFile, identity: FileIdentity
  ) async throws -> HashedSource {
    guard identity.size <= ReadLimit.source else {
      throw HoldfastError(.notARecording, ReadLimit.reason(identity.size, atMost: ReadLimit.source))
    }
    var staging: Staging?
    if !options.isDryRun, SourceFile.isRemote(file) {
      // Room for the copy of the source, and for the recording.
      try refuseIfDiskIsFull(identity.size, times: 2, try library.writableTree())
      staging = try await self.staging.folder()
    }
    return try await onOwnThread { [staging] stop in
      let copy = try staging?.createFile(named: HashedSource.copyName)
      let hash = try file.sha256(until: stop) { try copy?.write($0) }
      return HashedSource(
        original: file, identity: identity, readable: copy ?? file, name: item.fileName,
        hash: hash)
    }
  }

  private func known(_ hash: SHA256Digest) async throws -> RecordingID? {
    guard !options.allowsDuplicates else { return nil }
    return try await onOwnThread { _ in try library.catalog.recordings.find(ofSource: hash)?.id }
  }

  /// Refuses a source as a duplicate of a recording whose file is missing: that recording cannot be
  /// played.
  func refuseIfLost(_ id: RecordingID) throws {
    guard let row = try library.catalog.files.find(id: id), let path = RelativePath(row.filePath),
      try library.tree.status(of: path) == .missing,
      try !library.tree.contents.isInTrash(path, of: id),
      try !OfflineCheck(tree: library.tree, catalog: library.catalog).isOffline()
    else { return }
    throw HoldfastError(
      .recordingLost,
      "is in the library as \(id.short), whose file is missing, so it was not imported again",
      path: "\(item.path)")
  }

  private func refuseIfDiskIsFull(
    _ bytes: Int64, times copies: Int64 = 1, _ tree: LibraryTree
  ) throws {
    // A copied stream is as large as its source. An encoded one is hardly ever larger; if it is,
    // the write fails with an error. A server may claim any size, so the size is limited.
    let needed = min(bytes, 1 << 60) * copies + Self.spareBytes
    let free = try tree.availableBytes()
    guard free >= needed else {
      throw HoldfastError(
        .noSpace,
        "needs about \(needed.megabytes) in \(tree.path.escapedForDisplay), where "
          + "\(free.megabytes) are free")
    }
  }

  /// Converts into staging, and publishes the result: all parts of the source, or none.
  private func convert(
    _ prepared: PreparedSource, tree: LibraryTree
  ) async throws -> ImportEvent {
    let staging = try await staging.folder()
    var recordings: [Recording] = []
    var thumbnails: [RecordingID: ThumbnailRecord] = [:]
    var warnings: [String] = []
    for part in prepared.plans.indices {
      let output = try await StagedConversion(
        prepared: prepared, part: part, id: part == 0 ? id : RecordingID(), staging: staging,
        engine: engine
      ) { done in
        report(.converting(item, (Double(part) + done) / Double(prepared.plans.count)))
      }.run()
      recordings.append(recording(of: output, prepared, part: part))
      thumbnails[output.id] = output.thumbnail?.record
      for warning in output.report.warnings where !warnings.contains(warning) {
        warnings.append(warning)
      }
    }
    if let app = item.app, app.id != id {
      warnings.append(
        "another recording here has or had the ID \(app.id.uuidString), so it got the ID "
          + "\(id.uuidString)")
    }
    let earlier = try earlierImport(of: recordings)
    let (imported, words) = transcripts(of: earlier ?? recordings, prepared, &warnings)
    let (made, pictures, said) = (recordings, thumbnails, warnings)
    let reports = made.compactMap(\.ingestion.conversion)
    try await onOwnThread { stop in
      try stop.check()
      if prepared.source.isCopied { try staging.removeFile(named: HashedSource.copyName) }
      try staging.seal(recordings: made.map(\.id))
    }
    // Once it has the lock, a cancelled import is finished instead of undone, which takes no
    // longer.
    return try await onOwnThread { stop in
      if let earlier {
        try library.keepTranscripts(words)
        return .skipped(item, .duplicate(of: earlier[0].id))
      }
      let event = try commit(
        made, thumbnails: pictures, transcripts: words, from: prepared.source, tree: tree,
        staging: staging, warnings: said, until: stop)
      return movingSource(after: event, imported, reports)
    }
  }

  private func recording(
    of output: StagedConversion.Output, _ prepared: PreparedSource, part: Int
  ) -> Recording {
    let plan = output.report.plan
    // Each part of a split source has the time at which that part was recorded.
    let offset = plan.start.seconds - (prepared.plans.first?.start.seconds ?? 0)
    let recorded = RecordingTimestamp(
      date: prepared.recorded.date + offset, offsetMinutes: prepared.recorded.offsetMinutes,
      source: prepared.recorded.source)
    var ingestion = output.ingestion(of: prepared.source)
    ingestion.part = part + 1
    ingestion.partCount = prepared.plans.count
    let made = Recording(
      id: output.id, recorded: recorded, type: plan.type, purpose: options.purpose,
      duration: output.check.duration, title: options.title, notes: options.notes,
      createdAt: Date(), ingestion: ingestion)
    guard let app = item.app else { return made }
    var described = app.describing(made, now: Date())
    if part > 0 {
      // The app knows only the first one.
      described.modifiedAt = nil
      if app.timestamp != nil {
        let own = described.recorded
        described.recorded = RecordingTimestamp(
          date: own.date + offset, offsetMinutes: own.offsetMinutes, source: own.source)
      }
    }
    // The import of the app's records counts its plays, as this library's.
    (described.playCount, described.lastPlayedAt) = (0, nil)
    return described
  }

  /// Commits the import. Under the writer lock, it checks the source once more, publishes the
  /// files, and writes the rows. A row always refers to complete, durable files.
  private func commit(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord],
    transcripts: [Transcript], from source: HashedSource, tree: LibraryTree, staging: Staging,
    warnings: [String], until stop: StopFlag
  ) throws -> ImportEvent {
    let catalog = library.catalog
    return try tree.withWriterLock(until: stop) { lock in
      // First, because removing a moved source changes the identity of that file under its other
      // names.
      if !options.allowsDuplicates, let known = try catalog.recordings.find(ofSource: source.hash) {
        return .skipped(item, .duplicate(of: known.id))
      }
      guard item.app?.id != id || library.isFree(id) else {
        throw HoldfastError(.changed, "another import has just brought a recording with its ID")
      }
      try refuseIfChanged(source.original, since: source.identity)
      // If the disk is missing now, the files would be written where its folder belongs, and be
      // hidden when it is back.
      try library.refuseIfOffline("it was not imported")
      try Publication(library: library, recordings: recordings, staging: staging)
        .run(under: lock) {
          try insert(recordings, thumbnails: thumbnails, transcripts: transcripts)
        }
      return .imported(item, recordings, warnings: warnings, source: .untouched)
    }
  }

  /// Inserts the rows, and those of the records that name the first recording, in one transaction.
  private func insert(
    _ recordings: [Recording], thumbnails: [RecordingID: ThumbnailRecord],
    transcripts: [Transcript]
  ) throws {
    guard records != nil || !transcripts.isEmpty, let id = recordings.first?.id else {
      return try library.catalog.recordings.insert(
        recordings, thumbnails: thumbnails, remembering: memory?.imported)
    }
    try library.catalog.recordings.insert(
      recordings, thumbnails: thumbnails, remembering: memory?.imported
    ) { db in
      for transcript in transcripts { try db.insert(transcript) }
      try records?(db, id)
    }
  }
}
