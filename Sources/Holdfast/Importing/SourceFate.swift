/// What became of a source's own file when the source was imported.
public enum SourceFate: Hashable, Sendable {
  /// It was only read, as nothing else was asked for.
  case untouched
  /// It was removed: all of it is in the library.
  case moved
  /// It was to be removed, and stays.
  case stays(StayReason)
}

/// Why a source stays although it was to be moved into the library.
public struct StayReason: Hashable, Sendable {
  /// The kind of a reason.
  public enum Code: String, Hashable, Sendable {
    /// Not all of it is in the library.
    case notWhole
    /// Its path is a symbolic link.
    case link
    /// It is not the file any more that was read.
    case sourceChanged
    /// The system refused to remove it.
    case refused
  }

  /// The kind of the reason.
  public var code: Code
  /// What a person reads after the source's name.
  public var reason: String

  /// Makes a reason of its sentence.
  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
