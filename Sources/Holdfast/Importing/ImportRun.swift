internal import HoldfastModel
internal import HoldfastStorage
internal import HoldfastSupport
internal import Synchronization

extension Library {
  /// Takes recordings into the library: files as they are, folders walked.
  ///
  /// The import runs until it is done, is cancelled, or nobody holds it. Everything that goes wrong
  /// with a source is an event of that source; the others go on.
  ///
  /// - Parameters:
  ///   - paths: Files and folders.
  ///   - options: How they are imported.
  /// - Throws: `RuleError` when the title or the notes are too long; ``LibraryError`` when the library
  ///   was opened for reading, or without an engine, or when its recordings' files are not there.
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

/// An import under way: its events, in the order in which they happen.
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

  /// Stops the import: what is in flight is finished or undone, and says so in its last event.
  public func cancel() { task.cancel() }

  /// Reads the events.
  public func makeAsyncIterator() -> AsyncStream<ImportEvent>.Iterator {
    events.makeAsyncIterator()
  }

  /// Works on as many sources at a time as the options say, in the order in which they are found; on
  /// several, the next is begun meanwhile.
  private static func run(
    _ paths: [SourcePath], into library: Library, engine: any MediaEngine, options: ImportOptions,
    report: @escaping @Sendable (ImportEvent) -> Void
  ) async {
    let engine = LimitedEngine(engine, jobs: options.jobs)
    // One source after the other is what one job promises.
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
