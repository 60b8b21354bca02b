import Foundation
import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage
import HoldfastSupport

/// An event of the rebuilding of a library's catalog.
public enum RebuildEvent: Sendable {
  /// The rebuilding begins, for this reason: one clause.
  case began(reason: String)
  /// The number of records of a kind that the new catalog has from the damaged one.
  case kept(RecordKind, Int)
  /// A record of the damaged catalog cannot be read, for this reason, and is left out.
  case leftOut(RecordKind, id: String, reason: String)
  /// The number of files examined so far, of those that no record names.
  case examined(Int, of: Int)
  /// A recording was made again from its file.
  case made(Recording)
  /// A file in `Recordings` cannot be read as a recording, and stays as it is. The path is escaped
  /// for display.
  case left(path: String, HoldfastError)
  /// The catalog is in its place. The old one is in this quarantine; `nil` if there was none.
  case finished(recordings: Int, quarantine: String?)
}

extension Library {
  /// Makes a library's catalog again, if it is missing or cannot be opened.
  ///
  /// The readable records of the damaged catalog are kept. Each recording whose record is lost is
  /// made again from its file. The damaged catalog moves into quarantine. Until the new one is
  /// complete, the library stays as it is.
  ///
  /// - Parameters:
  ///   - location: The library's folder.
  ///   - engine: The engine that examines the recordings' files.
  ///   - journals: The journals that the program knows.
  ///   - patience: How long to wait for other commands.
  /// - Returns: The rebuilding, which has begun. Its last event is
  ///   ``RebuildEvent/finished(recordings:quarantine:)``, unless it throws `HoldfastError` or
  ///   `CancellationError`. Then nothing is changed.
  /// - Throws: `HoldfastError` when the library is missing. The run throws one with the code
  ///   `catalogWhole` when the catalog can be opened.
  public static func rebuild(
    at location: LibraryLocation, engine: any MediaEngine, journals: [Journal] = [],
    patience: LockTimeoutPolicy = LockTimeoutPolicy()
  ) throws -> LibraryRun<RebuildEvent> {
    try HoldfastError.naming(location) {
      let tree = try LibraryTree.open(at: location.absolutePath, patience: patience)
      try tree.refuseOtherFilesystems()
      try tree.refuseUnpromisedNetwork()
      return LibraryRun { report in
        try await Rebuilding(tree: tree, engine: engine, journals: journals, report: report).run()
      }
    }
  }
}
