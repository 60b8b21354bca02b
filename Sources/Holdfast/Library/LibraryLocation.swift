import Foundation
public import HoldfastModel

/// The location of a library.
public struct LibraryLocation: Hashable, Sendable {
  /// The library's folder.
  public var path: String
  /// Whether missing folders above it may be made. Only the default location allows this: when the
  /// parent of a folder that a user named is missing, its disk may not be mounted.
  public var mayMakeParents: Bool

  /// Makes a location.
  public init(path: String, mayMakeParents: Bool = false) {
    self.path = path
    self.mayMakeParents = mayMakeParents
  }

  /// The absolute path. SQLite would read a relative path that begins with "file:" as a URI.
  var absolutePath: String {
    path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path
  }

  /// Finds the library: `option`, else `$HOLDFAST_LIBRARY`, else `$XDG_DATA_HOME/holdfast`, else
  /// `$HOME/.local/share/holdfast`.
  ///
  /// The home folder comes from the environment only: asking the system for it opens sockets.
  ///
  /// - Parameters:
  ///   - option: The folder that was named on the command line.
  ///   - environment: The environment's variables.
  /// - Throws: `HoldfastError` when nothing names a folder.
  public static func resolve(
    option: String?, environment: [String: String]
  ) throws(HoldfastError) -> LibraryLocation {
    let location = try named(option: option, environment: environment)
    if !location.path.hasPrefix("/"), FileManager.default.currentDirectoryPath.isEmpty {
      throw HoldfastError(
        .noWorkingFolder,
        "the folder in which this command runs was removed, and \(location.path.escapedForDisplay) "
          + "is relative to it", path: location.path)
    }
    return location
  }

  private static func named(
    option: String?, environment: [String: String]
  ) throws(HoldfastError) -> LibraryLocation {
    let named = [option, environment["HOLDFAST_LIBRARY"]].compactMap { $0 }.first { !$0.isEmpty }
    let standard = standardPath(environment)
    if let named { return LibraryLocation(path: named, mayMakeParents: named == standard) }
    if let standard { return LibraryLocation(path: standard, mayMakeParents: true) }
    throw HoldfastError(.noPlace, "nothing says where the library is: HOME is not set")
  }

  /// The default place; `nil` if the environment has no home folder.
  private static func standardPath(_ environment: [String: String]) -> String? {
    // The XDG base directory specification says that a relative path must be ignored.
    if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data + "/holdfast" }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return home + "/.local/share/holdfast"
  }
}
