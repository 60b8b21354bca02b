import HoldfastCatalog
public import HoldfastModel
import HoldfastStorage

/// The reason why a library could not do as asked, or why one of many items failed.
///
/// Every error of ``Library`` is one of these, except `CancellationError` and what a caller's own
/// closure throws. ``underlying`` is the error of the layer below, where there is one.
///
/// ```swift
/// do {
///   library = try Library.open(at: location, for: .writing)
/// } catch LibraryError.Code.noLibrary {
///   try Library.create(at: location)
/// }
/// ```
public struct LibraryError: Error, Sendable, CustomStringConvertible {
  /// The kind of an error: an open set. An error from a lower layer has that layer's code.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Creates a code with a name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The kind of the error.
  public var code: Code
  /// One sentence with the figures. For an item of an import or of a thumbnail run it does not
  /// repeat the item's name. It names no command and no option: the program that shows it knows
  /// what its user can do.
  public var description: String
  /// The file or folder that the error is about, if the sentence is about one.
  public var path: String?
  /// The kind of record that was looked for, if the error is about one.
  public var record: RecordKind?
  /// The error of the layer below.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, _ description: String, path: String? = nil, record: RecordKind? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.description = description
    self.path = path
    self.record = record
    self.underlying = underlying
  }
}

extension LibraryError: Hashable {
  /// Compares everything but ``underlying``.
  public static func == (one: LibraryError, other: LibraryError) -> Bool {
    (one.code, one.description, one.path, one.record)
      == (other.code, other.description, other.path, other.record)
  }

  /// Hashes the code and the sentence.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(description)
  }
}

extension LibraryError.Code {
  /// The catalog belongs to another library than the marker says.
  public static let foreignCatalog = LibraryError.Code(rawValue: "foreignCatalog")
  /// Nothing has that name, or several things have it.
  public static let noSuchRecord = LibraryError.Code(rawValue: "noSuchRecord")
  /// The beginning of an ID is too short, or more than one ID begins like that.
  public static let ambiguousID = LibraryError.Code(rawValue: "ambiguousID")
  /// The recording's file is missing.
  public static let fileMissing = LibraryError.Code(rawValue: "fileMissing")
  /// An import is at work, or another library was meant.
  public static let notErasable = LibraryError.Code(rawValue: "notErasable")
  /// The library was opened for reading.
  public static let readOnly = LibraryError.Code(rawValue: "readOnly")
  /// The library was opened without a media engine.
  public static let noEngine = LibraryError.Code(rawValue: "noEngine")
  /// There is no library at that place.
  public static let noLibrary = LibraryError.Code(rawValue: "noLibrary")
  /// A folder of the library is on another filesystem than the rest of it.
  public static let otherFilesystem = LibraryError.Code(rawValue: "otherFilesystem")
  /// The library is on a network filesystem, and its owner has not promised that only one computer
  /// writes to it at a time.
  public static let networkFilesystem = LibraryError.Code(rawValue: "networkFilesystem")
  /// The system does not let this user read or write there.
  public static let notPermitted = LibraryError.Code(rawValue: "notPermitted")
  /// The library's path is unknown.
  public static let noPlace = LibraryError.Code(rawValue: "noPlace")
  /// Another process held the writer lock for too long; ``LibraryError/underlying`` is a
  /// `LockTimeout`.
  public static let locked = LibraryError.Code(rawValue: "locked")
  /// A value breaks a rule; ``LibraryError/underlying`` is a `RuleError`.
  public static let invalidValue = LibraryError.Code(rawValue: "invalidValue")
  /// The source changed after the import had begun.
  public static let sourceChanged = LibraryError.Code(rawValue: "sourceChanged")
  /// The disk has too little room.
  public static let noSpace = LibraryError.Code(rawValue: "noSpace")
  /// The source is one of the library's own files.
  public static let insideLibrary = LibraryError.Code(rawValue: "insideLibrary")
  /// The source is of a kind that is never a recording.
  public static let notARecording = LibraryError.Code(rawValue: "notARecording")
  /// None of the recordings' files is there: their disk may not be mounted.
  public static let offline = LibraryError.Code(rawValue: "offline")
  /// Something else is now where a file was to be put.
  public static let placeTaken = LibraryError.Code(rawValue: "placeTaken")
  /// An erasure was committed but is not finished.
  public static let unfinishedErasure = LibraryError.Code(rawValue: "unfinishedErasure")
  /// Deleted text may still be found in the library's folder.
  public static let deletedTextLeft = LibraryError.Code(rawValue: "deletedTextLeft")
  /// Recovery waits until the recordings' files are back.
  public static let recoveryPutOff = LibraryError.Code(rawValue: "recoveryPutOff")
  /// Entries of an older Holdfast, which stored no time zones, were given that of this machine.
  public static let timeZoneAssumed = LibraryError.Code(rawValue: "timeZoneAssumed")
  /// The program does not know a journal of the library, or knows an older version of it.
  public static let unknownJournal = LibraryError.Code(rawValue: "unknownJournal")
  /// The journal is not enabled in the library.
  public static let journalNotEnabled = LibraryError.Code(rawValue: "journalNotEnabled")
  /// The journal has records.
  public static let journalNotEmpty = LibraryError.Code(rawValue: "journalNotEmpty")
  /// Work that another computer left unfinished was moved into quarantine.
  public static let otherComputersWork = LibraryError.Code(rawValue: "otherComputersWork")
  /// Another computer may be at work in the library.
  public static let otherComputer = LibraryError.Code(rawValue: "otherComputer")
  /// A file is not an export document, or a newer Holdfast wrote it.
  public static let unreadableDocument = LibraryError.Code(rawValue: "unreadableDocument")
  /// A list of files to import could not be read.
  public static let unreadableList = LibraryError.Code(rawValue: "unreadableList")
  /// A file could not be backed up.
  public static let notBackedUp = LibraryError.Code(rawValue: "notBackedUp")
  /// A recording could not be merged.
  public static let notMerged = LibraryError.Code(rawValue: "notMerged")
  /// The catalog can be opened, so there is nothing to rebuild.
  public static let catalogWhole = LibraryError.Code(rawValue: "catalogWhole")
  /// The backups and the library are not on one filesystem with hard links.
  public static let noLinks = LibraryError.Code(rawValue: "noLinks")
  /// An update of a backup was interrupted, or is under way.
  public static let unfinishedUpdate = LibraryError.Code(rawValue: "unfinishedUpdate")
  /// The working directory, to which a path is relative, was removed.
  public static let noWorkingFolder = LibraryError.Code(rawValue: "noWorkingFolder")
  /// The source is known, but the file of its recording is missing.
  public static let recordingLost = LibraryError.Code(rawValue: "recordingLost")
  /// There is no backup of that time.
  public static let noBackup = LibraryError.Code(rawValue: "noBackup")
  /// A backup does not have the recording.
  public static let notInBackup = LibraryError.Code(rawValue: "notInBackup")
  /// A file of a backup is damaged or missing.
  public static let damagedBackup = LibraryError.Code(rawValue: "damagedBackup")
  /// A file of a backup that a library cannot do without is damaged or missing.
  public static let unusableBackup = LibraryError.Code(rawValue: "unusableBackup")
  /// A recording's sound could not be decoded to measure it.
  public static let soundUnmeasured = LibraryError.Code(rawValue: "soundUnmeasured")
  /// A recording could not be decoded to make a copy that other programs can play.
  public static let notCopied = LibraryError.Code(rawValue: "notCopied")
  /// The catalog has a path for a thumbnail that is not the recording's own.
  public static let badThumbnailPath = LibraryError.Code(rawValue: "badThumbnailPath")
  /// The recording has no picture.
  public static let noPicture = LibraryError.Code(rawValue: "noPicture")
  /// The recording has no sound.
  public static let noSound = LibraryError.Code(rawValue: "noSound")

  /// The code that an error of the media engine has here.
  public init(_ code: MediaError.Code) { self.init(rawValue: code.rawValue) }

  /// Lets `catch LibraryError.Code.noLibrary` match an error of that kind.
  public static func ~= (code: LibraryError.Code, error: any Error) -> Bool {
    (error as? LibraryError)?.code == code
  }
}

extension LibraryError {
  /// Translates an error of a lower layer; `nil` for any other error.
  ///
  /// - Parameter item: The item's own path, which the reader of its failure knows.
  init?(below error: any Error, of item: SourcePath? = nil) {
    switch error {
    case let error as LibraryError: self = error
    case let error as StorageError:
      let isItem = error.path.escapedForDisplay == item?.description
      self.init(
        error.isPermissionDenied
          ? .notPermitted : error.isForWantOfSpace ? .noSpace : Code(rawValue: error.code.rawValue),
        isItem ? error.reason : error.description, path: error.path, underlying: error)
    case let error as CatalogError:
      self.init(
        Code(rawValue: error.code.rawValue), error.description, path: error.database,
        underlying: error)
    case let error as MediaError:
      self.init(Code(rawValue: error.code.rawValue), error.description, underlying: error)
    case let error as LockTimeout:
      self.init(.locked, error.description, path: error.library, underlying: error)
    case let error as RuleError:
      self.init(.invalidValue, error.description, underlying: error)
    default: return nil
    }
  }

  /// Creates the failure of one item, whatever the error was.
  init(itemFailure error: any Error, of item: SourcePath? = nil) {
    self =
      LibraryError(below: error, of: item)
      ?? LibraryError(
        Code(rawValue: "unexpected"), "\(error)".escapedForDisplay, underlying: error)
  }

  /// Runs `body`, and names the library in its errors by the path that the caller gave.
  static func translating<Value>(
    at location: LibraryLocation, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try translating(body)
    } catch LibraryError.Code.noLibrary {
      throw LibraryError(
        .noLibrary, "there is no library in \(location.path.escapedForDisplay)", path: location.path
      )
    } catch let error as LibraryError where error.code == .networkFilesystem {
      var error = error
      error.path = location.path
      throw error
    }
  }

  /// Runs `body`, and translates the errors of the layers below.
  static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw LibraryError(below: error) ?? error
    }
  }

  static func translating<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      throw LibraryError(below: error) ?? error
    }
  }
}
