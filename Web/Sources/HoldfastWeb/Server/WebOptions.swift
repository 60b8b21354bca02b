public import Holdfast

/// The options of the server.
public struct WebOptions: Sendable {
  /// The library's folder.
  public var location: LibraryLocation
  /// The port; 0 for any free port.
  public var port: Int
  /// Whether the link names 127.0.0.1, for a browser that does not know names below `localhost`.
  public var usesPlainHost: Bool
  /// The seconds without a request after which the server ends; `nil` for never.
  public var idle: Double?
  /// Whether the server starts without a library, and a page says what is wrong. A user who starts
  /// it from an icon reads nothing else.
  public var startsWithoutLibrary = false
  /// Where a page may offer to make a library; `nil` for nowhere.
  package var defaultPlace: DefaultPlace?
  /// The pages of the journals that the program knows.
  package var journals: [any JournalPages.Type] = []
  /// Pages that every library has, besides those of its recordings.
  package var others: [any LibraryPages.Type] = []

  /// Makes options.
  public init(
    location: LibraryLocation, port: Int = 0, usesPlainHost: Bool = false, idle: Double? = nil
  ) {
    self.location = location
    self.port = port
    self.usesPlainHost = usesPlainHost
    self.idle = idle
  }
}
