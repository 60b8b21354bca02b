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
