internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport
internal import Synchronization

extension Library {
  /// Imports recordings from files and folders.
  ///
  /// The import runs until it is done, is cancelled, or its ``ImportRun`` is no longer held. Any
  /// problem with a source is reported as an event of that source. It does not stop the others.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. Folders are searched with all folders in them.
  ///   - options: How to import them.
  /// - Throws: ``LibraryError`` with the code `invalidValue` when the title or the notes are too
  ///   long; ``LibraryError`` when the library was opened for reading, or without an engine, or when
  ///   none of its recordings' files is there.
  public func importRecordings(
    _ paths: [String], options: ImportOptions = ImportOptions()
  ) throws -> ImportRun {
    try LibraryError.translating {
      try options.validate()
      if !options.isDryRun { _ = try writableTree() }
      try refuseIfOffline("nothing was imported")
      return ImportRun(
        paths.map { SourcePath($0) }, into: self, engine: try mediaEngine(), options: options)
    }
  }
}

/// An import that is running, as the sequence of its events.
public final class ImportRun: AsyncSequence, Sendable {
  private let events: AsyncStream<ImportEvent>
  private let task: Task<Void, Never>

  init(
    _ paths: [SourcePath], into library: Library, engine: any MediaEngine, options: ImportOptions
  ) {
    let (events, continuation) = AsyncStream.makeStream(of: ImportEvent.self)
    self.events = events
    let task = Task {
      await Self.run(paths, into: library, engine: engine, options: options) {
        continuation.yield($0)
      }
      continuation.finish()
    }
    self.task = task
    continuation.onTermination = { _ in task.cancel() }
  }

  /// Stops the import. Each source that is in progress is finished or undone, and its last event
  /// says which.
  public func cancel() { task.cancel() }

  /// Returns an iterator over the events.
  public func makeAsyncIterator() -> AsyncStream<ImportEvent>.Iterator {
    events.makeAsyncIterator()
  }

  /// Imports as many sources at a time as the options say, in the order in which they are found.
  /// With several jobs, one further source is begun meanwhile.
  private static func run(
    _ paths: [SourcePath], into library: Library, engine: any MediaEngine, options: ImportOptions,
    report: @escaping @Sendable (ImportEvent) -> Void
  ) async {
    let engine = LimitedEngine(engine, jobs: options.jobs)
    // With one job, sources are imported one after the other, as `ImportOptions.jobs` promises.
    let mostRunning = options.jobs > 1 ? options.jobs + 1 : 1
    await withTaskGroup(of: Void.self) { group in
      var running = 0
      var number = 0
      let planned = PlannedSources()
      let discovery = Mutex(SourceDiscovery(paths))
      while !Task.isCancelled,
        let found = try? await onOwnThread({ _ in discovery.withLock { $0.next() } })
      {
        number += 1
        switch found {
        case .refused(let path, let failure):
          report(.failed(ImportItem(number: number, path: path), failure))
        case .source(let path):
          let item = ImportItem(number: number, path: path)
          report(.discovered(item))
          if running >= mostRunning {
            await group.next()
            running -= 1
          }
          running += 1
          group.addTask {
            let source = SourceImport(
              item, into: library, engine: engine, options: options, planned: planned,
              report: report)
            report(await source.run())
          }
        }
      }
    }
  }
}
