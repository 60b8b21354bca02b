/// The fate of a source's file after the import.
public enum SourceFate: Hashable, Sendable {
  /// It was only read: no removal was requested.
  case untouched
  /// It was removed, because all of it is in the library.
  case moved
  /// It is kept, although its removal was requested.
  case stays(StayReason)
}

/// The reason why a source that was to be moved is kept.
public struct StayReason: Hashable, Sendable {
  /// The kind of a reason.
  public enum Code: String, Hashable, Sendable {
    /// Some of it is not in the library.
    case notWhole
    /// Its path is a symbolic link.
    case link
    /// It is another file than the one that was read, or has changed since.
    case sourceChanged
    /// It is a library's own file, or is named like one.
    case ofLibrary
    /// The system refused to remove it.
    case refused
  }

  /// The kind of the reason.
  public var code: Code
  /// The end of a sentence that begins with the source's name.
  public var reason: String

  /// Makes a reason from its code and its text.
  public init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }
}
