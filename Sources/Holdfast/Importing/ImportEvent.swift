import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// A source of an import.
public struct ImportItem: Hashable, Sendable {
  /// The source's number in its run, from 1.
  public var number: Int
  /// The route to the source.
  var route: SourceRoute
  /// The name that an uploaded file had where it came from; `nil` for a file that is there itself.
  var uploadedName: String?
  /// The source's identity when a watch named it; `nil` if none did. A source that has changed
  /// since is refused.
  var named: FileIdentity?
  /// What an app knows about the recording; `nil` for a source of another kind.
  var app: AppRecording?

  var path: SourcePath { route.path }
  /// The source's path, escaped for display. An upload has none, so this is its name.
  public var displayPath: String { uploadedName?.escapedForDisplay ?? path.description }
  /// The source's file name, escaped for display.
  public var name: String { fileName.escapedForDisplay }
  var fileName: String { uploadedName ?? path.name }

  /// Adds what an app knows about the source. In a phone's backup, the file has another name.
  mutating func describe(_ recording: AppRecording) {
    app = recording
    let name = SourcePath(recording.path).name
    if path.name != name, !name.isEmpty { uploadedName = name }
  }
}

/// An event of an import, reported as it happens.
public enum ImportEvent: Sendable {
  /// A source was found.
  case discovered(ImportItem)
  /// A source is being converted. The number is the share that is done, from 0 to 1.
  case converting(ImportItem, Double)
  /// A source was imported as these recordings, with warnings for the user, and with what happened
  /// to the source's file.
  case imported(ImportItem, [Recording], warnings: [String], source: SourceFate)
  /// A source was skipped, and nothing is wrong with that.
  case skipped(ImportItem, SkipReason)
  /// A source was refused or failed. Nothing of it is in the library.
  case failed(ImportItem, HoldfastError)
  /// The import was interrupted. Nothing of the source is in the library.
  case interrupted(ImportItem)

  /// The recordings that the event says were imported.
  public var recordings: [Recording] {
    if case .imported(_, let recordings, _, _) = self { recordings } else { [] }
  }
}

/// The reason why a source was skipped.
public enum SkipReason: Hashable, Sendable {
  /// It is in the library already, as this recording.
  case duplicate(of: RecordingID)
  /// In a dry run: it has the same content as this earlier source, which would have been imported.
  case repetition(of: ImportItem)
  /// It is the movie of a Live Photo. The photo of this name is beside it.
  case livePhoto(photo: String)
  /// It is a camera's small copy of a recording. The recording of this name is beside it.
  case proxy(of: String)
  /// It is a download that has not ended.
  case unfinished
  /// It was imported or refused before, and has not changed since.
  case seen
  /// In a dry run: it would be imported, with one plan for each recording.
  case dryRun([ConversionPlan])
}
