import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

/// One search for data that reveals more about the user than it must.
struct PrivacyCheck {
  let library: Library
  let tree: LibraryTree
  let engine: any MediaEngine
  let pause: WriterPause

  /// Searches everywhere. Returns the number of recordings whose files were examined.
  func run(
    _ environment: [String: String], _ report: (VerifyFinding) throws -> Void
  ) async throws -> Int {
    var count = 0
    do {
      try await recordings { row, findings in
        count += row.recordingID == nil ? 0 : 1
        for finding in findings { try report(finding) }
      }
    } catch {
      guard let finding = VerifyFinding(error, in: tree) else { throw error }
      try report(finding)
    }
    for part in [folder, catalogFile] {
      do { try part(report) } catch {
        guard let finding = VerifyFinding(error, in: tree) else { throw error }
        try report(finding)
      }
    }
    for finding in Self.outside(environment) { try report(finding) }
    return count
  }

  // MARK: The stored files

  /// Checks every recording's files and every photo, as many at a time as there are cores.
  func recordings(_ report: (StoredFiles, [VerifyFinding]) throws -> Void) async throws {
    let width = ProcessInfo.processInfo.activeProcessorCount
    var last: RecordingID?
    while true {
      let page = try library.catalog.files.page(after: last?.uuidString)
      guard let end = page.last else { break }
      last = end.id
      for start in stride(from: 0, to: page.count, by: width) {
        let rows = page[start..<min(start + width, page.count)]
        for (row, findings) in zip(rows, try await findings(of: rows)) {
          try report(row, findings)
        }
      }
    }
  }

  private func findings(of rows: ArraySlice<StoredFiles>) async throws -> [[VerifyFinding]] {
    try await withThrowingTaskGroup(of: (Int, [VerifyFinding]).self) { group in
      for (index, row) in rows.enumerated() {
        group.addTask { (index, try await findings(row)) }
      }
      var all = [[VerifyFinding]](repeating: [], count: rows.count)
      for try await (index, findings) in group { all[index] = findings }
      return all
    }
  }

  private func findings(_ row: StoredFiles) async throws -> [VerifyFinding] {
    guard row.type != nil else {
      return try await findings(row.filePath, row, kept: []).map { finding in
        var finding = finding
        finding.recording = nil
        return finding
      }
    }
    // If the row cannot be read, it is not known which metadata the user asked to keep.
    let recording = try? library.catalog.recordings.find(id: row.id)
    // If the row was rebuilt, that is not known either.
    let kept =
      recording.map { $0.ingestion.conversion.map { $0.keptMetadata ?? [] } } ?? []
    var findings = try await findings(row.filePath, row, kept: kept)
    if let thumbnail = row.thumbnailPath {
      findings += try await self.findings(thumbnail, row, kept: [])
    }
    return findings
  }

  private func findings(
    _ text: String, _ row: StoredFiles, kept: [String]?
  ) async throws -> [VerifyFinding] {
    guard let path = RelativePath(text) else {
      return [
        VerifyFinding(
          .badPath, path: text.escapedForDisplay, recording: row.id,
          detail: "the catalog's path is not under \(RelativePath.root)/; it was not followed")
      ]
    }
    do {
      let file = try tree.openForReading(path)
      // The engine only borrows the descriptor.
      defer { withExtendedLifetime(file) {} }
      let info = try await engine.probe(
        OpenMedia(descriptor: file.descriptor, name: path.name), depth: .metadata)
      var extras = info.extras ?? []
      if row.type == nil { extras.removeAll(where: PhotoLimit.extras.contains) }
      return findings(extras, at: path, of: row, kept: kept)
    } catch let error as HoldfastError where error.layer == .storage {
      // A missing file is for `verify` to report. It may also have been deleted since the row was
      // read.
      if error.code == .missing { return [] }
      return [VerifyFinding(.unreadable, path: text, recording: row.id, detail: error.clause)]
    } catch let error as HoldfastError where error.layer == .media {
      let help = VerifyFinding.Help(error)
      return [
        VerifyFinding(.unreadable, path: text, recording: row.id, detail: error.clause, help: help)
      ]
    }
  }

  private func findings(
    _ extras: [String], at path: RelativePath, of row: StoredFiles, kept asked: [String]?
  ) -> [VerifyFinding] {
    let kept = asked ?? extras.filter(OriginTag.includes)
    let unwanted = extras.filter { !Self.belongs($0, toKept: kept) }
    var findings: [VerifyFinding] = []
    if !unwanted.isEmpty {
      findings.append(
        VerifyFinding(
          .personalData, path: path.string, recording: row.id,
          detail:
            "holds more than picture, sound and their times: \(unwanted.joined(separator: ", ")); "
            + "restore it from a backup, or "
            + (row.type == nil
              ? "remove the photo and add it again"
              : "delete the recording and import its source again")))
    }
    if unwanted.count < extras.count {
      findings.append(
        VerifyFinding(
          .keptMetadata, path: path.string, recording: row.id,
          detail:
            "holds metadata that \(asked == nil ? "was kept at its import" : "you asked to keep"): "
            + kept.joined(separator: ", ")))
    }
    return findings
  }

  /// Returns whether a file has this data because the user asked for it: a tag that the catalog
  /// names, or a box in which such tags are written.
  private static func belongs(_ extra: String, toKept kept: [String]) -> Bool {
    if kept.isEmpty { return false }
    // FFmpeg also writes the location into a box of its own.
    return kept.contains { $0.lowercased() == extra }
      || ["udta/loci", "meta/keys", "meta/ilst"].contains(extra)
      || extra.wholeMatch(of: /ilst\/(\[\d+\]){4}/) != nil
  }
}
