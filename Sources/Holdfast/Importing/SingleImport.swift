public import HoldfastModel
import HoldfastStorage
import Synchronization

/// The recording that an import gave a journal's record.
public struct ImportedRecording: Hashable, Sendable {
  /// The recording.
  public var id: RecordingID
  /// Whether it was imported now. If not, the library already had the source.
  public var isNew: Bool
  /// Warnings about the conversion, for the user.
  public var warnings: [String] = []
}

/// Writes records that name a recording, in the transaction that inserts the recording's row.
public typealias RecordsOfRecording = @Sendable (any RecordDatabase, RecordingID) throws -> Void

struct SingleImport: Sendable {
  let library: Library
  let options: ImportOptions
  let records: RecordsOfRecording

  init(
    _ library: Library, _ options: ImportOptions, writing records: @escaping RecordsOfRecording
  ) throws {
    try options.validate()
    guard options.conversion.overLimit != .split, !options.isDryRun else {
      throw HoldfastError(
        .invalidValue,
        "a record names one recording, so its source can be neither split nor only examined")
    }
    (self.library, self.records) = (library, records)
    var options = options
    // A user who names the movie of a Live Photo means the movie.
    options.includesLivePhotos = true
    self.options = options
  }

  func run(_ path: String) async throws -> ImportedRecording {
    _ = try library.writableTree()
    try library.refuseIfOffline("nothing was imported")
    let areRefused = Atomic(false)
    let source = SourceImport(
      try item(path), into: library, engine: LimitedEngine(try library.mediaEngine(), jobs: 1),
      options: options, planned: PlannedSources(),
      writing: { db, id in
        do { try records(db, id) } catch {
          areRefused.store(true, ordering: .relaxed)
          throw error
        }
      }, report: { _ in })
    switch await source.run() {
    case .imported(_, let recordings, let warnings, _):
      return ImportedRecording(
        id: recordings.first?.id ?? source.id, isNew: true, warnings: warnings)
    case .skipped(_, .duplicate(let id)):
      try library.write { db in try records(db, id) }
      return ImportedRecording(id: id, isNew: false)
    case .failed(let item, let error):
      throw areRefused.load(ordering: .relaxed) ? error : error.named(item)
    case .interrupted: throw CancellationError()
    case .discovered(let item), .converting(let item, _), .skipped(let item, _):
      throw HoldfastError(.notARecording, "it was not imported").named(item)
    }
  }

  private func item(_ path: String) throws -> ImportItem {
    let item = ImportItem(number: 1, route: SourceRoute(typed: SourcePath(path)))
    guard !item.path.isFolder else {
      throw HoldfastError(.notARecording, "is a folder", operation: "import one").named(item)
    }
    var discovery = SourceDiscovery([item.path])
    if case .refused(_, let error) = try discovery.next() { throw error.named(item) }
    return item
  }
}

extension HoldfastError {
  fileprivate func named(_ item: ImportItem) -> HoldfastError {
    var error = self
    error.reason = "\(item.displayPath): \(description)"
    if [.storage, .catalog].contains(layer) { error.path = nil }
    return error
  }
}
