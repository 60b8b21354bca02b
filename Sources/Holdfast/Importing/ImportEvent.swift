internal import HoldfastCatalog
public import HoldfastModel
internal import HoldfastStorage

/// A source on its way into the library.
public struct ImportItem: Hashable, Sendable {
  /// The source's number in its run, from 1.
  public var number: Int
  /// Where it is.
  var path: SourcePath

  /// Where the source is, as a person reads it.
  public var displayPath: String { path.description }
  /// The source's file name, as a person reads it.
  public var name: String { path.name.escapedForDisplay }
}

/// What happens to the sources of an import, as it happens.
public enum ImportEvent: Sendable {
  /// A source was found.
  case discovered(ImportItem)
  /// A source is being converted; the share that is done, from 0 to 1.
  case progress(ImportItem, Double)
  /// A source is in the library, as these recordings; what a person should know of the way, and
  /// what became of its own file.
  case imported(ImportItem, [Recording], warnings: [String], source: SourceFate)
  /// A source was left out, and nothing is wrong with that.
  case skipped(ImportItem, SkipReason)
  /// A source was refused or failed; nothing of it is in the library.
  case failed(ImportItem, LibraryError)
  /// The import was interrupted; nothing of the source is in the library.
  case interrupted(ImportItem)
}

/// Why a source was left out.
public enum SkipReason: Hashable, Sendable {
  /// It is in the library already, as this recording.
  case duplicate(of: RecordingID)
  /// In a dry run: it holds the same as a source of which the run has said that it would be imported.
  case repetition(of: ImportItem)
  /// It is the movie of a Live Photo, whose photo lies beside it under this name.
  case livePhoto(photo: String)
  /// It would be imported, as so many recordings, if this were not a dry run.
  case dryRun([ConversionPlan])
}
