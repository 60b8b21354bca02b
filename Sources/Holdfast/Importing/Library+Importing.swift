internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport
internal import Synchronization

extension Library {
  /// Imports recordings from files and folders.
  ///
  /// Any problem with a source is reported as an event of that source. It does not stop the others.
  /// When the run is cancelled, each source that is in progress is finished or undone, and its last
  /// event says which.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. Folders are searched with all folders in them.
  ///   - list: Further files and folders. An import whose list cannot be read to its end throws ``LibraryError`` after
  ///     the events of what was listed until then.
  ///   - options: How to import them.
  /// - Returns: The import, which has begun.
  /// - Throws: ``LibraryError`` when the title or the notes are too long, when the library was
  ///   opened for reading or without an engine, and when none of its recordings' files is there.
  public func importRecordings(
    _ paths: [String], listed list: SourceList? = nil, options: ImportOptions = ImportOptions()
  ) throws -> LibraryRun<ImportEvent> {
    try importRecordings(
      SourceDiscovery(paths.map { SourcePath($0) }, listed: list, share: options.share), options)
  }

  /// Imports files that a watch has named, as ``importRecordings(_:listed:options:)`` does.
  ///
  /// - Parameters:
  ///   - files: The files.
  ///   - options: How to import them.
  /// - Returns: The import, which has begun.
  /// - Throws: ``LibraryError``, as for files that are named by their paths.
  public func importRecordings(
    watched files: [WatchedFile], options: ImportOptions = ImportOptions()
  ) throws -> LibraryRun<ImportEvent> {
    // Since a file was named, a link may have taken its place, or that of a folder above it.
    let files = files.map(\.file)
    return try importRecordings(
      SourceDiscovery(files.map(\.path), share: options.share, followingNoLinks: true), options,
      named: Dictionary(files.map { ($0.path, $0.identity) }) { first, _ in first })
  }

  private func importRecordings(
    _ discovery: SourceDiscovery, _ options: ImportOptions,
    named: [SourcePath: FileIdentity] = [:]
  ) throws -> LibraryRun<ImportEvent> {
    try LibraryError.translating {
      try options.validate()
      if !options.isDryRun { _ = try writableTree() }
      try refuseIfOffline("nothing was imported")
      let engine = try mediaEngine()
      return LibraryRun { [self] report in
        try await importSources(discovery, engine, options, named, report)
      }
    }
  }

  /// Imports as many sources at a time as the options say, in the order in which they are found.
  /// With several jobs, one further source is begun meanwhile.
  private func importSources(
    _ discovery: SourceDiscovery, _ engine: any MediaEngine, _ options: ImportOptions,
    _ named: [SourcePath: FileIdentity], _ report: @escaping @Sendable (ImportEvent) -> Void
  ) async throws {
    let engine = LimitedEngine(engine, jobs: options.jobs)
    // With one job, sources are imported one after the other, as `ImportOptions.jobs` promises.
    let mostRunning = options.jobs > 1 ? options.jobs + 1 : 1
    let discovery = Mutex(discovery)
    let failure = await withTaskGroup(of: Void.self) { group -> (any Error)? in
      var running = 0
      var number = 0
      let planned = PlannedSources()
      while !Task.isCancelled {
        let found: SourceDiscovery.Found?
        do {
          // A list may come from a program that writes it for hours.
          found = try await onOwnThread(abandonsWork: true) { _ in
            try discovery.withLock { try $0.next() }
          }
        } catch {
          // What is being imported is finished first.
          return error
        }
        guard let found else { break }
        number += 1
        switch found {
        case .refused(let path, let failure):
          report(.failed(ImportItem(number: number, route: SourceRoute(typed: path)), failure))
        case .source(let route):
          var item = ImportItem(number: number, route: route)
          item.named = named[route.path]
          report(.discovered(item))
          if running >= mostRunning {
            await group.next()
            running -= 1
          }
          running += 1
          group.addTask {
            let source = SourceImport(
              item, into: self, engine: engine, options: options, planned: planned,
              report: report)
            report(await source.run())
          }
        }
      }
      return nil
    }
    if let failure, !(failure is CancellationError) { throw failure }
  }
}
