import HoldfastModel
import HoldfastStorage
import HoldfastSupport
import Synchronization

struct ImportRun: Sendable {
  let library: Library
  let engine: any MediaEngine
  let options: ImportOptions
  /// The files that a watch has named.
  var named: [SourcePath: FileIdentity] = [:]
  let report: @Sendable (ImportEvent) -> Void
  /// Returns what writes the records that name an app's recording; `nil` if there are none.
  var records: @Sendable (AppRecording) -> RecordsOfRecording? = { _ in nil }

  /// Imports as many sources at a time as the options say, in the order in which they are found.
  /// With several jobs, one further source is begun meanwhile.
  func run(_ discovery: SourceDiscovery) async throws {
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
          // Imports in progress are finished first.
          return error
        }
        guard let found else { break }
        number += 1
        switch found {
        case .refused(let path, let failure):
          report(.failed(ImportItem(number: number, route: SourceRoute(typed: path)), failure))
        case .source(let route), .described(let route, _):
          var item = ImportItem(number: number, route: route)
          item.named = named[route.path]
          if case .described(_, let recording) = found { item.describe(recording) }
          report(.discovered(item))
          if running >= mostRunning {
            await group.next()
            running -= 1
          }
          running += 1
          group.addTask {
            let source = SourceImport(
              item, into: library, engine: engine, options: options, planned: planned,
              writing: item.app.flatMap(records), report: report)
            report(await source.run())
          }
        }
      }
      return nil
    }
    if let failure, !(failure is CancellationError) { throw failure }
  }
}
