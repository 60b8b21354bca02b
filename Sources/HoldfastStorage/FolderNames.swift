internal import Glibc

/// The files of one folder by their names' stems, to find what belongs to a file beside it.
public struct FolderNames: Sendable {
  /// The folder.
  public let folder: SourcePath
  private let names: [[UInt8]: String]

  /// Lists the folder that a file lies in; a folder that cannot be listed holds nothing.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - extensions: The extensions that are looked for, in lower case.
  /// - Returns: `nil` for a path that can only be a folder's.
  public init?(beside path: SourcePath, withExtensions extensions: Set<String>) {
    guard let folder = path.split?.folder else { return nil }
    self.folder = folder
    let flags = O_RDONLY | O_DIRECTORY | O_NONBLOCK
    let entries = try? SystemCalls.entries(of: SystemCalls.open(Place(folder.bytes), flags))
    var names: [[UInt8]: String] = [:]
    for entry in entries ?? [] where entry.kind != .directory {
      let name = SourcePath(bytes: entry.name)
      guard extensions.contains(name.pathExtension), names[name.stem] == nil else { continue }
      names[name.stem] = name.name
    }
    self.names = names
  }

  /// The name of the file that has this one's name but for the extension, if there is one.
  ///
  /// - Parameter path: A file in ``folder``.
  public func companion(of path: SourcePath) -> String? {
    guard let split = path.split, split.folder == folder else { return nil }
    return names[SourcePath(bytes: split.name).stem]
  }
}

extension SourcePath {
  /// The bytes of a name up to its last dot.
  fileprivate var stem: [UInt8] {
    guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return bytes }
    return Array(bytes[..<dot])
  }

  /// Whether this file lies in a folder.
  public func isDirectly(in folder: SourcePath) -> Bool { split?.folder == folder }
}
