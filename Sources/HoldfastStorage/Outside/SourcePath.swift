internal import Glibc
import HoldfastModel

/// The path of a stranger's file: any bytes, not necessarily text.
public struct SourcePath: Hashable, Sendable, CustomStringConvertible {
  /// The path's bytes.
  public let bytes: [UInt8]

  private static let slash = UInt8(ascii: "/")

  /// Takes a path that is text.
  public init(_ string: String) { self.bytes = Array(string.utf8) }

  /// Takes a path as the system gives it.
  ///
  /// - Parameter bytes: The path, without a NUL at its end. One inside is refused on opening.
  public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  /// The path of something in this folder.
  ///
  /// - Parameter component: The name's bytes.
  public func appending(_ component: some Sequence<UInt8>) -> SourcePath {
    let isJoined = bytes.isEmpty || bytes.last == Self.slash
    return SourcePath(bytes: bytes + (isJoined ? [] : [Self.slash]) + Array(component))
  }

  /// The last component, with bytes that are no text repaired; not escaped for display.
  public var name: String {
    let last = bytes.split(separator: Self.slash).last ?? []
    return String(decoding: last, as: UTF8.self)
  }

  /// What follows the name's last dot, in lower case; empty when there is none.
  public var pathExtension: String {
    let name = name
    guard let dot = name.unicodeScalars.lastIndex(of: "."),
      dot != name.unicodeScalars.startIndex
    else { return "" }
    return String(name.unicodeScalars[dot...].dropFirst()).lowercased()
  }

  /// Whether a folder stands there; a symbolic link that a person named is followed.
  public var isFolder: Bool {
    (try? SystemCalls.identity(of: Place(bytes), followingLinks: true)?.kind) == .directory
  }

  /// Whether something stands there; what cannot be looked at does not.
  public var isThere: Bool { (try? SystemCalls.identity(of: Place(bytes))) != nil }

  /// Whether the file, or the folder, lies in a library or is one: such a thing is never a source.
  ///
  /// Symbolic links are resolved first; then any folder on the way that holds a library's marker
  /// says yes. Another file by the name `holdfast.json` says nothing.
  public var isInsideLibrary: Bool {
    guard let real = SystemCalls.realPath(Place(bytes)) else { return false }
    var path = SourcePath(bytes: real)
    while true {
      let marker = path.appending(Layout.marker.utf8)
      if (try? SystemCalls.identity(of: Place(marker.bytes))) != nil, path.hasMarker { return true }
      guard let slash = path.bytes.lastIndex(of: Self.slash), path.bytes.count > 1 else {
        return false
      }
      path = SourcePath(bytes: path.bytes[..<max(slash, 1)])
    }
  }

  /// Whether it is a folder that holds a library's marker.
  private var hasMarker: Bool {
    // Folders on the way may be such as can be searched, but not listed.
    let flags = SystemCalls.onlyToLookAt | O_DIRECTORY
    guard let folder = try? SystemCalls.open(Place(bytes), flags) else { return false }
    return LibraryMarker.marks(Directory(file: folder))
  }

  /// The folder that it lies in, and its name there; `nil` where it ends with a slash, and so can
  /// only be a folder's.
  var split: (folder: SourcePath, name: [UInt8])? {
    guard let slash = bytes.lastIndex(of: Self.slash) else {
      return bytes.isEmpty ? nil : (SourcePath("."), bytes)
    }
    let name = Array(bytes[(slash + 1)...])
    return name.isEmpty ? nil : (SourcePath(bytes: bytes[..<max(slash, 1)]), name)
  }

  /// The path without the slashes at its end.
  var withoutSlashAtEnd: SourcePath {
    var bytes = bytes[...]
    while bytes.count > 1, bytes.last == Self.slash { bytes.removeLast() }
    return SourcePath(bytes: bytes)
  }

  /// The path as a person reads it: repaired where it is no text, and escaped for display.
  public var description: String { String(decoding: bytes, as: UTF8.self).escapedForDisplay }
}
