public import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import Synchronization

/// An app's data that were read, to be imported: recordings first, then the records.
public final class AppImport: Sendable {
  /// What was recognised, in one line.
  public let summary: String
  /// The app's documents and folders that could not be read, a sentence each.
  public let unreadable: [String]
  /// Whether the app has recordings.
  public var hasRecordings: Bool { !sources.isEmpty }

  let library: Library
  let journals: [Journal]
  let reading: AppReading
  private let notes: [String]
  private let sources: [SourceDiscovery.Found]
  private let includesDeleted: Bool
  let files: AppFiles
  /// Whether a person named the folder of the files, and not a document in it.
  let isFolder: Bool
  /// The voice notes whose file is not there, with the recordings here that came from such a file.
  private let named: [RecordingID: RecordingID]
  /// The recordings whose file is that of an earlier one of the app, with the ID of that one.
  private let repeated: [RecordingID: RecordingID]
  /// The IDs in the library, by those of the app.
  private let ids = Mutex<[RecordingID: RecordingID]>([:])
  /// The recordings that this import brought.
  private let imported = Mutex<Set<RecordingID>>([])
  /// How many records that were here already got their link with one of them.
  private let linked = Mutex<[RecordKind: Int]>([:])

  init(
    _ source: AppSource, reading: AppReading, into library: Library, journals: [Journal],
    includingDeleted includesDeleted: Bool
  ) throws {
    (self.library, self.journals, self.includesDeleted) = (library, journals, includesDeleted)
    (files, isFolder) = (source.files, source.isFolder)
    unreadable = source.unreadable
    var reading = reading
    var notes = source.notes + reading.people
    let media = source.isFolder ? Self.media(in: source.files) : []
    var left = includesDeleted ? [] : reading.recordings.filter(\.isDeleted).map(\.path)
    let listing = AppModel.recordings.entities.union(AppModel.voiceMemos.entities)
    if !source.rows.names.contains(where: { listing.contains($0.entity) }) {
      // A voice note is named by its entry.
      let named = Set(
        reading.recordings.compactMap { try? source.files.recording(at: $0.path).path })
      reading.recordings += Self.recordings(media.filter { !named.contains($0) })
    }
    let repeated = reading.removeRepeatedRecordings()
    if repeated > 0 {
      notes.append(
        "\(repeated.counted("recording")) with the ID of another one, left out: the version that "
          + "was changed last counts")
    }
    var found: [SourceDiscovery.Found] = []
    var first: [String: RecordingID] = [:]
    var (copies, named) = ([RecordingID: RecordingID](), [RecordingID: RecordingID]())
    let deleted = includesDeleted ? 0 : reading.recordings.count(where: \.isDeleted)
    if deleted > 0 {
      reading.recordings.removeAll(where: \.isDeleted)
      notes.append("\(deleted.counted("recording")) in the app's bin left out")
    }
    if !includesDeleted, !reading.rows.isFromHoldfast {
      let gone = try library.catalog.recordings.deleted(among: reading.recordings.map(\.id))
      left += reading.recordings.filter { gone.contains($0.id) }.map(\.path)
      reading.recordings.removeAll { gone.contains($0.id) }
      if !gone.isEmpty {
        notes.append(
          "\(gone.count.counted("recording")) deleted here, left out; import-app --deleted imports "
            + "what was deleted")
      }
    }
    let names = reading.recordings.singleNames
    for recording in reading.recordings {
      do throws(HoldfastError) {
        let (path, route) = try source.files.recording(at: recording.path)
        if let other = first[path] {
          copies[recording.id] = other
          continue
        }
        first[path] = recording.id
        var described = recording
        // The app may name it by a URL, in which some characters are written with percent signs.
        described.path = path
        found.append(.described(route, described))
      } catch {
        // A recording that is in the library needs no file any more.
        if let own = try library.catalog.recordings.find(knownAs: recording.id),
          recording.mayBe(own)
        {
          continue
        }
        if error.code == .fileMissing, let own = try library.voiceNote(recording, names) {
          named[recording.id] = own.id
          continue
        }
        let name = recording.path.isEmpty ? recording.title ?? recording.id.short : recording.path
        found.append(.refused(SourcePath(name), error))
        left.append(recording.path)
      }
    }
    let others = media.filter { file in
      first[file] == nil && !left.contains { file.hasSuffix("/\($0)") || file == $0 }
    }
    if !others.isEmpty {
      notes.append(
        "\(others.count.counted("file")) in the app's folder, listed by no recording of the app; "
          + "left out")
    }
    (self.reading, self.notes, sources, self.repeated) = (reading, notes, found, copies)
    self.named = named
    let counts = journals.flatMap(\.kinds).compactMap { type in
      reading.records[type.kind].map { type.kind.text($0.count) }
    }
    let all = [RecordKind.recordings.text(reading.recordings.count)] + counts
    summary = "\(source.form): \(all.joined(separator: ", "))"
  }

  private static func media(in files: AppFiles) -> [String] {
    // Voice memos lie beside their list, with waveforms and parts of others in folders.
    if files.bases.count == 1 {
      let folder = files.bases[0]
      return files.listing(below: String(folder.dropLast())).files.filter { path in
        ["m4a", "qta"].contains(SourcePath(path).pathExtension)
          && !path.dropFirst(folder.count).contains("/")
      }
    }
    return files.listing(below: AppFiles.recordings).files.filter {
      !NotMedia.extensions.contains(SourcePath($0).pathExtension)
    }
  }

  /// Returns the recordings of a folder without a store. The tree of an app names a file for its
  /// recording: `video_<UUID>.mov`.
  private static func recordings(_ media: [String]) -> [AppRecording] {
    media.map { path in
      let id = path.firstMatch(of: /\/(?:video|audio)_([0-9A-Fa-f-]{36})\.[A-Za-z0-9]+$/)
        .flatMap { UUID(uuidString: String($0.1)) }
      var recording = AppRecording(
        id: id ?? RecordingID(), path: String(path.dropFirst("Documents/".count)))
      recording.hasID = id != nil
      return recording
    }
  }

  /// Refuses an app's data if the library cannot keep all of it, because a journal is not enabled.
  ///
  /// - Throws: `HoldfastError`.
  public func validate() throws {
    let kinds = Set(try library.catalog.records.kinds())
    guard !kinds.isSuperset(of: reading.records.keys) else { return }
    _ = try importRecords(isDryRun: true)
  }

  /// Imports the recordings, as `Library.importRecordings` does. They keep the app's IDs.
  ///
  /// - Throws: `HoldfastError`, as that does.
  public func importRecordings(options: ImportOptions) throws -> LibraryRun<ImportEvent> {
    if !options.isDryRun { _ = try library.writableTree() }
    try library.refuseIfOffline("nothing was imported")
    let engine = try library.mediaEngine()
    let links = try links()
    return LibraryRun { [self] report in
      var run = ImportRun(library: library, engine: engine, options: options) { event in
        self.note(event)
        report(event)
      }
      run.records = { app in
        guard let links = links[app.id] else { return nil }
        return { db, id in
          let counts = try db.link(links, to: id)
          self.linked.withLock { $0.merge(counts, uniquingKeysWith: +) }
        }
      }
      try await run.run(SourceDiscovery(described: sources))
    }
  }

  private func note(_ event: ImportEvent) {
    switch event {
    case .imported(let item, let recordings, _, _):
      guard let app = item.app, let first = recordings.first else { return }
      note(app, first.id)
      _ = imported.withLock { $0.insert(first.id) }
    case .skipped(let item, .duplicate(let id)):
      if let app = item.app { note(app, hasSameFile(app.id, id) ? app.id : id) }
    case .skipped(let item, .repetition(let first)):
      if let app = item.app, let other = first.app { note(app, other.id) }
    case .skipped(let item, .dryRun):
      if let app = item.app { note(app, library.isFree(app.id) ? app.id : RecordingID()) }
    case .discovered, .converting, .skipped, .failed, .interrupted: break
    }
  }

  /// Whether both recordings are in the library, and come from one file.
  private func hasSameFile(_ id: RecordingID, _ other: RecordingID) -> Bool {
    let sources = [id, other].map { try? library.catalog.recordings.find(id: $0)?.ingestion }
    return sources[0] != nil && sources[0]?.sourceSHA256 == sources[1]?.sourceSHA256
  }

  private func note(_ app: AppRecording, _ id: RecordingID) { ids.withLock { $0[app.id] = id } }

  /// Imports the records, with their links, and what changed in the app about recordings that the
  /// library has. Call it when the recordings are imported.
  ///
  /// - Parameters:
  ///   - isDryRun: Whether to write nothing.
  ///   - now: The time of the import.
  /// - Throws: `HoldfastError`. None of the records is written then.
  public func importRecords(isDryRun: Bool = false, now: Date = Date()) throws -> DataImportReport {
    let ids = ids.withLock(\.self)
    var reading = reading
    try reading.dropReferences { try library.catalog.files.contains(id: $0) }
    let kinds = Set(try library.catalog.records.kinds())
    try library.read { try reading.addImplied($0, having: kinds) }
    for recording in reading.recordings where ids[recording.id] == nil {
      guard let own = try library.catalog.recordings.find(knownAs: recording.id),
        recording.mayBe(own)
      else { continue }
      note(recording, own.id)
    }
    var known = self.ids.withLock(\.self)
    for (id, first) in repeated where known[id] == nil { known[id] = known[first] }
    var named = named
    let names = reading.recordings.singleNames
    for note in reading.recordings where known[note.id] == nil && named[note.id] == nil {
      named[note.id] = try library.voiceNote(note, names)?.id
    }
    known.merge(named) { imported, _ in imported }
    let listed = Set(reading.recordings.map(\.id))
    reading.relink { id in
      known[id]
        ?? (listed.contains(id) ? nil : (try? library.catalog.recordings.find(knownAs: id))?.id)
    }
    var seen: Set<RecordingID> = []
    var counters: [RecordingID: RecordingID] = [:]
    var notes = notes
    // Of several with one file, the words of the one that gave the recording its ID are kept.
    let apps =
      reading.recordings.filter { known[$0.id] == $0.id }
      + reading.recordings.filter { known[$0.id] != $0.id }
    let recordings = try apps.compactMap { app -> RecordingDocument? in
      guard named[app.id] == nil, let id = known[app.id] else { return nil }
      guard seen.insert(id).inserted else {
        let words = [app.title, app.notes].compactMap { $0?.nonBlank?.escapedForDisplay }
        notes.append(
          "\(app.id.short): the same file as the recording \(id.short); not kept: "
            + (words.isEmpty ? "its dates and plays" : words.joined(separator: "; ")))
        return nil
      }
      guard let own = try library.catalog.recordings.find(id: id) else { return nil }
      var recording = app.describing(own, now: now)
      // A recording that was imported by itself gets the app's ID as another one.
      if app.hasID, library.isFree(app.id) { recording.id = app.id }
      // A name from an import tells that Holdfast has written the document, with the plays here.
      if app.originalFilename == nil, app.hasID { counters[recording.id] = app.id }
      return RecordingDocument(recording, plays: app.plays)
    }
    for (id, new) in known.sorted(by: { $0.key.uuidString < $1.key.uuidString })
    where isDryRun && id != new && repeated[id] == nil {
      guard try library.catalog.recordings.find(id: new) == nil else { continue }
      notes.append(
        "another recording here has or had the ID \(id.uuidString), so the app's would get a new "
          + "one")
    }
    let missing = reading.recordings.count { known[$0.id] == nil }
    let document = try HoldfastError.checkingRules {
      try ExportDocument(reading.records, recordings: recordings, journals: journals)
    }
    let described = ImportedApp(
      isFromHoldfast: reading.rows.isFromHoldfast, said: reading.said,
      assumed: reading.assumed, counters: counters,
      own: Set(known.compactMap { $0.key == $0.value ? $0.key : nil }),
      includesDeleted: includesDeleted)
    var data = try library.importData(document, of: described, isDryRun: isDryRun, now: now)
    for (index, refusal) in reading.refusals.enumerated() {
      data.count(refusal.kind, \.refused)
      data.items.append(
        .refused(refusal.kind, index: index, id: refusal.id, reason: refusal.reason))
    }
    // The report of the recordings' import has them.
    let counted = Set(recordings.map(\.id))
    data.leaveOut(recordings: imported.withLock(\.self).intersection(counted))
    for (kind, count) in linked.withLock(\.self).sorted(by: { $0.key.name < $1.key.name }) {
      notes.append("\(kind.text(count)) linked with a recording that came now")
    }
    notes += reading.remarks.map(\.sentence)
    if missing > 0 {
      notes.append("\(missing.counted("recording")) of the app not in the library")
    }
    data.notes += notes
    data.hasPlaces = false
    return data
  }
}

extension Library {
  /// Reads an app's data: the folder of its container or of its documents, its store, a document
  /// that it exported, or a phone's backup that is not encrypted. Nothing there is changed.
  ///
  /// - Parameters:
  ///   - path: The folder or file.
  ///   - app: A part of the app's name, for a backup that holds several apps.
  ///   - user: The person whose records are imported, as the app names people; `nil` for all.
  ///   - includesDeleted: Whether recordings in the app's bin are imported too.
  ///   - journals: The journals that the program knows.
  /// - Throws: `HoldfastError` if it is not an app's data or cannot be read.
  public func readApp(
    at path: String, app: String? = nil, user: String? = nil,
    includingDeleted includesDeleted: Bool = false, journals: [Journal]
  ) throws -> AppImport {
    let source = SourcePath(path)
    try source.refuseInsideLibrary()
    return try readApp(
      at: source, named: nil, app: app, user: user, includingDeleted: includesDeleted,
      journals: journals)
  }

  /// - Parameter name: The name of the folder or file in errors; its path if `nil`.
  func readApp(
    at path: SourcePath, named name: String?, app: String? = nil, user: String? = nil,
    includingDeleted includesDeleted: Bool = false, journals: [Journal]
  ) throws -> AppImport {
    let models = [AppModel.recordings, .voiceMemos] + journals.compactMap(\.app)
    let copies = try StoreCopies(for: self)
    defer { copies.remove() }
    var read = try AppSource(at: path, named: name, app: app, models, copyingInto: copies)
    if let user { try read.keepOnly(user: user) }
    let reading = try self.read { AppReading(read.rows, models, for: $0) }
    return try AppImport(
      read, reading: reading, into: self, journals: journals,
      includingDeleted: includesDeleted)
  }

  /// Returns the recording that was made from a voice note's file; `nil` if it is not certain.
  ///
  /// - Parameter names: The names that a single file of the app has. Only its name tells.
  func voiceNote(
    _ note: AppRecording, _ names: Set<String>
  ) throws(HoldfastError) -> Recording? {
    guard note.isVoiceNote, names.contains(note.fileName) else { return nil }
    return try catalog.recordings.find(fromOnlyFileNamed: note.fileName)
  }

  /// Whether no recording here has or had this ID.
  func isFree(_ id: RecordingID) -> Bool {
    (try? catalog.recordings.find(knownAs: id)) == .some(nil)
  }
}

extension [AppRecording] {
  /// The names that files at different paths do not share.
  fileprivate var singleNames: Set<String> {
    var paths: [String: Set<String>] = [:]
    for recording in self where recording.isVoiceNote {
      paths[recording.fileName, default: []].insert(recording.path)
    }
    return Set(paths.filter { $0.value.count == 1 && !$0.key.isEmpty }.keys)
  }
}

extension AppRecording {
  /// The last part of the path.
  fileprivate var fileName: String { SourcePath(Self.relativePath(path) ?? path).name }
}

extension SourcePath {
  /// - Throws: `HoldfastError` for a path inside a library.
  func refuseInsideLibrary() throws(HoldfastError) {
    guard isInsideLibrary else { return }
    throw HoldfastError(
      .insideLibrary, "\(self): is inside a Holdfast library, whose files cannot be imported")
  }
}
