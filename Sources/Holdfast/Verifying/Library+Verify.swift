import Glibc
import HoldfastCatalog
import HoldfastModel
import HoldfastStorage

extension Library {
  /// Checks the library's files against its catalog, and reports every difference.
  ///
  /// Anything that seems wrong is checked again when no writer is in the middle of a step, so that
  /// use of the library alone causes no findings. If a writer does not finish, verification waits
  /// for it once, for a few seconds; see ``VerifySummary/lockTimeout``.
  ///
  /// A verification that reads the files of a library that is open for writing writes two things to
  /// the catalog: the codecs that a row lacks and, if it is deep, when each recording was last
  /// found intact, or that it is damaged. A repair changes what it repairs. Nothing else is
  /// changed.
  ///
  /// While none of the recordings' files is there, a repair only puts files back from
  /// ``VerifyOptions/backups``, and makes missing thumbnails of them. It changes, moves and marks
  /// nothing else.
  ///
  /// - Parameter options: How thoroughly to verify.
  /// - Returns: The verification, which has begun. Its last event is ``VerifyEvent/finished(_:)``,
  ///   unless it throws: `HoldfastError` when the catalog or the files cannot be read at all, and
  ///   `CancellationError` when it was cancelled.
  /// - Throws: `HoldfastError` for a repair when the library was opened for reading or without an
  ///   engine, when a backup cannot be read, and while none of the recordings' files is there and
  ///   no backup is named.
  public func verify(
    options: VerifyOptions = VerifyOptions()
  ) throws -> LibraryRun<VerifyEvent> {
    var options = options
    if options.decodes || options.repairs { _ = try mediaEngine() }
    if options.repairs {
      _ = try writableTree()
      options.onlyPutsBack = try OfflineCheck(tree: tree, catalog: catalog)
        .mayOnlyPutBack(from: options.backups)
      for path in options.backups { _ = try SourcePath(path).identity() }
    }
    return LibraryRun { [self, options] report in
      let verification = try Verification(self, in: tree, options, report: report)
      report(.finished(try await verification.run()))
    }
  }

  /// Puts back the files of `Recordings` that a quarantine holds, unless something else is in their
  /// place. Anything else in the quarantine is reported and kept.
  ///
  /// - Parameters:
  ///   - name: The name of the folder in `.quarantine`.
  ///   - report: Called with each path, escaped for display, and the reason why it was not put
  ///     back, or `nil` if it was.
  /// - Throws: `HoldfastError` when the quarantine is missing, or the system refuses.
  public func restoreQuarantine(
    named name: String, _ report: (_ path: String, _ failure: HoldfastError?) throws -> Void
  ) throws {
    let tree = try writableTree()
    try tree.withWriterLock { lock in
      try tree.quarantines.restore(name, under: lock) { entry, failure in
        try report(
          entry.description,
          failure.map {
            var failure = $0
            failure.path = nil
            return failure
          })
      }
    }
  }
}

extension VerifyFinding {
  /// Makes a finding for an error that cut one part of a verification short; `nil` for any other
  /// error.
  init?(_ error: any Error, in tree: LibraryTree) {
    guard let error = error as? HoldfastError else { return nil }
    switch error.layer {
    case .catalog where [.damaged, .unreadableRow].contains(error.code):
      self.init(.catalogDamaged, path: "catalog.sqlite", detail: error.clause)
    case .storage:
      let (root, path) = (tree.path + "/", error.path ?? "")
      let shown = path.hasPrefix(root) ? String(path.dropFirst(root.count)) : path
      self.init(.unreadable, path: shown.escapedForDisplay, detail: error.clause)
    default: return nil
    }
  }

  /// Makes a finding for what an interrupted command left.
  init(_ leftover: Leftover, _ detail: String) {
    let kind: Kind = leftover.isInTrash ? .staleTrash : .staleStaging
    self.init(kind, path: leftover.path.escapedForDisplay, detail: detail)
  }
}

extension HoldfastError {
  /// Whether the system refused because this user, or any user, may not write there.
  var isPermissionDenied: Bool { [EROFS, EACCES, EPERM].contains(errno) }

  /// Whether nothing may be written there: for want of rights, or because it is a backup.
  var isReadOnly: Bool { isPermissionDenied || code == .insideBag }
}
