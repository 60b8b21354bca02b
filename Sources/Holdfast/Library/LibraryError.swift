internal import HoldfastModel
internal import HoldfastStorage

/// Why something that was asked of a library cannot be done, in one sentence.
public struct LibraryError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of an error: an open set.
  public struct Code: RawRepresentable, Hashable, Sendable {
    /// The code's name.
    public let rawValue: String
    /// Makes a code of its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The catalog belongs to another library than the marker says.
    public static let foreignCatalog = Code(rawValue: "foreignCatalog")
    /// Nothing has that name, or more than one thing has.
    public static let noSuchRecord = Code(rawValue: "noSuchRecord")
    /// A message that came with the library can be hidden, and neither changed nor deleted.
    public static let defaultMessage = Code(rawValue: "defaultMessage")
    /// Every message is hidden.
    public static let noMessage = Code(rawValue: "noMessage")
    /// The recording's file is not there.
    public static let fileMissing = Code(rawValue: "fileMissing")
    /// Imports are at work, or another library was meant.
    public static let notErasable = Code(rawValue: "notErasable")
    /// The library was opened for reading.
    public static let readOnly = Code(rawValue: "readOnly")
    /// The library was opened without a media engine.
    public static let noEngine = Code(rawValue: "noEngine")
    /// There is no library at that place.
    public static let noLibrary = Code(rawValue: "noLibrary")
    /// A folder of the library lies on another filesystem than the rest of it.
    public static let otherFilesystem = Code(rawValue: "otherFilesystem")
    /// The library lies on a network filesystem, and nobody has promised that only one computer writes
    /// to it at a time.
    public static let networkFilesystem = Code(rawValue: "networkFilesystem")
    /// There is no folder to keep a library in.
    public static let noPlace = Code(rawValue: "noPlace")
    /// The source is not what it was when the import began.
    public static let sourceChanged = Code(rawValue: "sourceChanged")
    /// The disk has too little room.
    public static let noSpace = Code(rawValue: "noSpace")
    /// The source is one of the library's own files.
    public static let insideLibrary = Code(rawValue: "insideLibrary")
    /// The source is of a kind that is never a recording.
    public static let notARecording = Code(rawValue: "notARecording")
  }

  /// The kind of the error.
  public var code: Code
  /// What a person reads.
  public var description: String

  /// Makes an error of its sentence.
  public init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }
}

extension LibraryError {
  /// Runs `body`, and names in its errors the library by the path that it was given.
  ///
  /// What can be done about these differs with the door that a person came through, which says it.
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
  /// Lets `catch LibraryError.Code.noLibrary` match an error of that kind.
  public static func ~= (code: LibraryError.Code, error: any Error) -> Bool {
    (error as? LibraryError)?.code == code
  }
}
