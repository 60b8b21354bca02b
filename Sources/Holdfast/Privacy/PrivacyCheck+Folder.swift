import Foundation
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension PrivacyCheck {
  // MARK: The library's folder

  /// Checks permissions, and looks for links and for files that Holdfast did not make.
  func folder(_ report: (VerifyFinding) throws -> Void) throws {
    if let finding = VerifyFinding.modesOfMount(of: tree) { try report(finding) }
    let hasModes = tree.modeOfMount == nil
    try tree.contents.visitAll { entry in
      if let finding = finding(entry, hasModes: hasModes) { try report(finding) }
    } orFail: { error in
      guard let finding = VerifyFinding(error, in: tree) else { throw error }
      try report(finding)
    }
    try leftovers(report)
    try cache(report)
    let unknown = UnknownFiles(catalog: library.catalog, tree: tree, pause: pause)
    try tree.contents.scan { entry in
      if entry.kind != .symbolicLink, try unknown.contains(entry) {
        try report(
          VerifyFinding(
            .unknownFile, path: entry.description,
            detail: "the catalog knows nothing about it, and its contents were not checked"))
      }
    }
  }

  /// Looks for leftovers of interrupted commands, which may include a deleted recording.
  private func leftovers(_ report: (VerifyFinding) throws -> Void) throws {
    // Anything else in place of a folder is reported as such.
    guard let leftovers = try? pause.read({ try tree.contents.leftovers() }) else { return }
    for leftover in leftovers where !leftover.isAtWork {
      try report(
        VerifyFinding(
          leftover,
          "an interrupted command left it, with files that may be deleted since; the next "
            + "command that writes removes it, after a day if it may be another computer's"))
    }
  }

  /// Looks for copies of recordings that are not in the library any more, or not with these bytes.
  private func cache(_ report: (VerifyFinding) throws -> Void) throws {
    // Anything else in place of the folder is reported as such.
    guard let names = try? pause.read({ try tree.playableCopies.names() }) else { return }
    for name in names {
      let text = String(decoding: name, as: UTF8.self)
      // A row that cannot be read names no bytes, and must not end the check.
      let recording = UUID(uuidString: String(text.prefix(36))).flatMap { id in
        try? library.catalog.recordings.find(id: id)
      }
      if let recording, CachedFile(copyOf: recording).name == text { continue }
      try report(
        VerifyFinding(
          .unknownFile, path: ".cache/\(text.escapedForDisplay)",
          detail: "it belongs to no recording as it is now; remove it: "
            + "what .cache has can be made again"))
    }
  }

  private func finding(_ entry: ScannedEntry, hasModes: Bool) -> VerifyFinding? {
    if entry.kind == .symbolicLink {
      return VerifyFinding(
        .link, path: entry.description,
        detail: "is a symbolic link, which may lead out of the library; remove it")
    }
    guard entry.hasPlace else {
      return VerifyFinding(
        .unknownFile, path: entry.description,
        detail: "Holdfast makes no file with that name; move it away")
    }
    guard hasModes, let right = entry.privatePermissions,
      entry.identity.permissions != right
    else { return nil }
    let (mode, rightMode) = (
      String(entry.identity.permissions, radix: 8), String(right, radix: 8)
    )
    return VerifyFinding(
      .wrongMode, path: entry.description,
      detail: "has mode \(mode) instead of \(rightMode); chmod \(rightMode) it")
  }

  // MARK: The catalog's file

  /// Reports deleted text that the catalog's file, and the files beside it, may still have.
  func catalogFile(_ report: (VerifyFinding) throws -> Void) throws {
    let name = "catalog.sqlite"
    let compaction = library.catalog.compaction
    let (isDue, size, files) = try pause.read {
      (try compaction.isDue(), try compaction.byteCount(), try tree.catalogFile.status())
    }
    if isDue {
      let text = "something was deleted or replaced, and the catalog was not compacted since"
      try report(
        files.size <= Compaction.mostBytesAtOnce
          ? VerifyFinding(
            .deletedText, path: name, detail: "\(text); the next command that writes compacts it")
          : VerifyFinding(.compactionDue, path: name, detail: text, help: .compaction))
    }
    if files.size != size {
      try report(
        VerifyFinding(
          .deletedText, path: name,
          detail: "has \(files.size) bytes, but SQLite uses \(size); restore it from a backup"))
    }
    if files.hasJournal {
      try report(
        VerifyFinding(
          .deletedText, path: "\(name)-journal",
          detail:
            "an interrupted command left it, with earlier contents of the catalog; the next "
            + "command that writes removes it"))
    }
  }

  // MARK: Elsewhere

  /// Looks where programs leave settings, logs and caches (the XDG base directory specification).
  /// Holdfast leaves nothing there but the transcriber's settings. A user's library there is not a
  /// finding.
  static func outside(_ environment: [String: String]) -> [VerifyFinding] {
    let places = [
      ("XDG_CACHE_HOME", ".cache"), ("XDG_CONFIG_HOME", ".config"),
      ("XDG_STATE_HOME", ".local/state"),
    ]
    let folders = places.flatMap { variable, folder in
      [environment[variable], environment["HOME"].map { "\($0)/\(folder)" }]
    }
    let paths = Set(folders.compactMap { $0 }.filter { $0.hasPrefix("/") }.map { "\($0)/holdfast" })
    return paths.sorted().compactMap { path in
      let place = SourcePath(path)
      guard place.exists, !place.isInsideLibrary, !isSettings(path) else { return nil }
      return VerifyFinding(
        .outside, path: path.escapedForDisplay,
        detail:
          "has Holdfast's name, but Holdfast keeps nothing there; see what it is, and remove it")
    }
  }

  /// Whether a folder has only the settings for transcribing on this computer: paths of programs
  /// and models, and nothing about recordings.
  private static func isSettings(_ folder: String) -> Bool {
    let known: Set = ["transcriber.json", "transcribe.env"]
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    return names.map { !$0.isEmpty && known.isSuperset(of: $0) } ?? false
  }
}
