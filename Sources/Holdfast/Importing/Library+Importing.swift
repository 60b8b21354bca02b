import Foundation
import HoldfastModel
import HoldfastStorage

extension Library {
  /// Imports recordings from files and folders.
  ///
  /// Any problem with a source is reported as an event of that source. It does not stop the others.
  /// When the run is cancelled, each source that is in progress is finished or undone, and its last
  /// event says which.
  ///
  /// - Parameters:
  ///   - paths: Files and folders. Folders are searched with all folders in them.
  ///   - list: Further files and folders. If the list cannot be read to its end, the import throws
  ///     `HoldfastError` after the events of the sources listed until then.
  ///   - options: How to import them.
  /// - Returns: The import, which has begun.
  /// - Throws: `HoldfastError` when the title or the notes are too long, when the library was
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
  /// - Throws: `HoldfastError`, as for files that are named by their paths.
  public func importRecordings(
    watched files: [WatchedFile], options: ImportOptions = ImportOptions()
  ) throws -> LibraryRun<ImportEvent> {
    // Since a file was named, a link may have replaced it, or a folder above it.
    let files = files.map(\.file)
    return try importRecordings(
      SourceDiscovery(files.map(\.path), share: options.share, followingNoLinks: true), options,
      named: Dictionary(files.map { ($0.path, $0.identity) }) { first, _ in first })
  }

  private func importRecordings(
    _ discovery: SourceDiscovery, _ options: ImportOptions,
    named: [SourcePath: FileIdentity] = [:]
  ) throws -> LibraryRun<ImportEvent> {
    try options.validate()
    if !options.isDryRun { _ = try writableTree() }
    try refuseIfOffline("nothing was imported")
    let engine = try mediaEngine()
    return LibraryRun { [self] report in
      try await ImportRun(
        library: self, engine: engine, options: options, named: named, report: report
      ).run(discovery)
    }
  }

  /// Imports one file, and writes records that name its recording. Both happen, or neither.
  ///
  /// If the library already has the file, the records name that recording.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How to import it. It must become one recording, so it cannot be split, and a dry
  ///     run is refused.
  ///   - records: Writes the records. It may run without effect, if the import cannot be finished.
  /// - Returns: The recording.
  /// - Throws: `HoldfastError` when the file is refused, and for an error that `records` throws;
  ///   and `CancellationError`. Nothing is then written.
  public func importRecording(
    _ path: String, options: ImportOptions = ImportOptions(),
    writing records: @escaping RecordsOfRecording
  ) async throws -> ImportedRecording {
    try await SingleImport(self, options, writing: records).run(path)
  }

  /// Begins an upload.
  ///
  /// - Parameter name: The name that the file had where it came from.
  /// - Throws: `HoldfastError` when the library was opened for reading, or cannot be written.
  public func beginUpload(named name: String) throws -> Upload {
    let tree = try writableTree()
    try refuseIfOffline("nothing was uploaded")
    let staging = try tree.withWriterLock { try tree.makeStaging(id: RecordingID(), under: $0) }
    do {
      return try Upload(named: name, staging: staging, in: tree)
    } catch {
      try? staging.remove()
      throw error
    }
  }

  /// Imports a whole upload. The upload stays until ``Upload/discard()`` is called.
  ///
  /// - Parameters:
  ///   - upload: The upload.
  ///   - options: How to import it. ``ImportOptions/movesSources`` has no effect.
  /// - Returns: The import, which has begun.
  /// - Throws: `HoldfastError` as ``importRecordings(_:listed:options:)`` does.
  public func importUpload(
    _ upload: Upload, options: ImportOptions = ImportOptions()
  ) throws -> LibraryRun<ImportEvent> {
    try options.validate()
    _ = try writableTree()
    try refuseIfOffline("nothing was imported")
    var options = options
    options.movesSources = false
    let engine = LimitedEngine(try mediaEngine(), jobs: options.jobs)
    var item = ImportItem(number: 1, route: SourceRoute(typed: upload.path))
    item.uploadedName = upload.name
    return LibraryRun { [self, item, options] report in
      let source = SourceImport(
        item, into: self, engine: engine, options: options, planned: PlannedSources(),
        report: report)
      report(await source.run())
    }
  }
}
