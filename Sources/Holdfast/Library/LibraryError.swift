internal import HoldfastModel
internal import HoldfastStorage

/// The reason why the library cannot do something, in one sentence.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error. More kinds may be added.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The catalog belongs to another library than the marker beside it.
    public static let foreignCatalog = Code(rawValue: "foreignCatalog")
    /// Nothing has that name, or more than one thing does.
    public static let noSuchRecord = Code(rawValue: "noSuchRecord")
    /// The message is a default one. It can be hidden, but not changed or deleted.
    public static let defaultMessage = Code(rawValue: "defaultMessage")
    /// Every message is hidden.
    public static let noMessage = Code(rawValue: "noMessage")
    /// The recording's file is not there.
    public static let fileMissing = Code(rawValue: "fileMissing")
    /// Imports are running, or the UUID is that of another library.
    public static let notErasable = Code(rawValue: "notErasable")
    /// The library was opened for reading.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The library was opened without a media engine.
    public static let noEngine = Code(rawValue: "noEngine")
    /// There is no library at that place.
    public static let noLibrary = Code(rawValue: "noLibrary")
    /// A folder of the library is on another filesystem than the rest.
    public static let otherFilesystem = Code(rawValue: "otherFilesystem")
    /// The library is on a network filesystem, and its owner has not promised that only one
    /// computer writes to it at a time.
    public static let networkFilesystem = Code(rawValue: "networkFilesystem")
    /// No folder for the library was named, and there is no default.
    public static let noPlace = Code(rawValue: "noPlace")
    /// The source changed after its import began.
    public static let sourceChanged = Code(rawValue: "sourceChanged")
    /// The disk has too little room.
    public static let noSpace = Code(rawValue: "noSpace")
    /// The source is one of the library's own files.
    public static let insideLibrary = Code(rawValue: "insideLibrary")
    /// The source is a kind of file that is never a recording.
    public static let notARecording = Code(rawValue: "notARecording")
  }

  /// The kind of the error.
  public var code: Code
  /// One sentence for the user.
  public var description: String

  /// Makes an error from its code and its sentence.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension LibraryError {
  /// Runs `body`, and makes its errors name the library by the path that the caller gave.
  ///
  /// The sentence does not say what to do, because that depends on how the library is used. The
  /// caller adds it.
  static func translating<Value>(
    at location: LibraryLocation, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch StorageError.Code.noLibrary {
      throw LibraryError(.noLibrary, "there is no library in \(location.path.escapedForDisplay)")
    } catch let error as StorageError where error.code == .otherFilesystem {
      throw LibraryError(.otherFilesystem, error.description)
    } catch let error as StorageError where error.code == .networkFilesystem {
      throw LibraryError(.networkFilesystem, error.description)
    }
  }
}

extension LibraryError.Code {
  /// Lets `catch LibraryError.Code.noLibrary` match an error with that code.
  public static func ~= (code: LibraryError.Code, error: any Error) -> Bool {
    (error as? LibraryError)?.code == code
  }
}
