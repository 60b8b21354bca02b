import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension Library {
  /// Exports a folder that an app could read: the recordings' files at their paths in the library,
  /// and a JSON document for each app that keeps such records, with the names that the app has.
  ///
  /// The documents have private records too. `readApp` reads the folder.
  ///
  /// - Parameter path: The path of the folder. Nothing may be there yet, except an empty folder.
  /// - Returns: A report of the export. A file that is missing or damaged stops nothing.
  /// - Throws: `HoldfastError`; `CancellationError`. No folder is left behind then.
  @discardableResult
  public func exportApp(toFolder path: String) async throws -> ExportReport {
    let kinds = try catalog.records.exportedKinds()
    let folder = try RestoredFolder(.export, at: SourcePath(path))
    do {
      return try await onOwnThread { stop in
        do {
          return try AppExport(library: self, kinds: kinds, folder: folder, stop: stop).run()
        } catch let failure as WritingFailure { throw failure.reason }
      }
    } catch {
      folder.discard()
      throw error
    }
  }
}

/// The export of a folder that an app could read.
private struct AppExport {
  let library: Library
  let kinds: [ExportedKind]
  let folder: RestoredFolder
  let stop: StopFlag

  func run() throws -> ExportReport {
    var report = ExportReport()
    var records: [RecordKind: [[String: AppValue]]] = [:]
    let journals = library.catalog.journals.known.filter { $0.app?.canWrite == true }
    let written: Set<RecordKind> = Set(journals.flatMap { $0.kinds.map { $0.kind } })
      .union([.recordings])
    for kind in kinds.map(\.kind) {
      let list = try self.records(of: kind)
      records[kind] = list
      guard written.contains(kind) else {
        if !list.isEmpty { report.leftOut.append((kind, list.count)) }
        continue
      }
      report.counts.append((kind, list.count))
    }
    try folder.makeRecordingFolders()
    for recording in records[.recordings] ?? [] {
      for (path, hash) in [("filePath", "fileSHA256"), ("thumbnailPath", "thumbnailSHA256")] {
        try copy(recording[path]?.text, expecting: recording[hash]?.text, report: &report)
      }
    }
    for photo in try library.catalog.files.photos(after: nil, through: nil) {
      try copy(photo.filePath, expecting: photo.fileSHA256.hexadecimal, report: &report)
    }
    for app in library.catalog.journals.known.compactMap(\.app) {
      var writing = AppWriting(records)
      app.write?(&writing)
      guard !writing.lists.isEmpty else { continue }
      try folder.write(document(writing.lists), to: "\(app.name).json")
    }
    try stop.check()
    try folder.finish()
    return report
  }

  /// Returns a document with a line for each element.
  private func document(_ lists: [String: [AppValue]]) throws -> [UInt8] {
    let encoder = JSONFormat.encoder
    var document: [UInt8] = []
    document += "{\n\"\(AppRows.writer)\": true".utf8
    for (name, elements) in lists.sorted(by: { $0.key < $1.key }) {
      document += ",\n".utf8
      document += "\"\(name)\": [".utf8
      for (index, element) in elements.enumerated() {
        if index.isMultiple(of: 1000) { try stop.check() }
        document += (index == 0 ? "\n" : ",\n").utf8
        document += try JSONFormat.data(element, by: encoder)
      }
      document += "\n]".utf8
    }
    return document + Array("\n}\n".utf8)
  }

  private func records(of kind: RecordKind) throws -> [[String: AppValue]] {
    var records: [[String: AppValue]] = []
    var last: String?
    let decoder = JSONDecoder()
    while let page = try library.catalog.records.exportPage(of: kind, as: .json, after: last) {
      try stop.check()
      records += try page.records().map { try decoder.decode([String: AppValue].self, from: $0) }
      last = page.last
    }
    return records
  }

  /// Copies a file of a recording, unless it is missing or has other bytes than its row says.
  private func copy(_ path: String?, expecting hash: String?, report: inout ExportReport) throws {
    guard let path, let file = RelativePath(path),
      let hash = hash.flatMap(SHA256Digest.init(hexadecimal:))
    else { return }
    try stop.check()
    do {
      let source = try library.tree.openForReading(file)
      guard try folder.copy(source, to: path, expecting: hash, until: stop) else {
        throw BackupRun.otherBytes
      }
    } catch let error as HoldfastError {
      report.missing.append((path.escapedForDisplay, error))
    }
  }
}
