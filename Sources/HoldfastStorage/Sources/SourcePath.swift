import Glibc
import HoldfastModel
import SystemPackage

/// The path of an untrusted file: any bytes, not necessarily text.
///
/// The bytes are kept as they were given, for the system and for display. A `FilePath`, which takes
/// them apart, would drop the slash at the end of a path that can only be a folder.
package struct SourcePath: Codable, Hashable, Sendable, CustomStringConvertible {
  package let bytes: [UInt8]

  private static let slash = UInt8(ascii: "/")

  private var parts: FilePath {
    FilePath(platformString: bytes.map(CInterop.PlatformChar.init(truncatingIfNeeded:)) + [0])
  }

  package init(_ string: String) { self.bytes = Array(string.utf8) }

  /// Makes a path from the bytes that the system gives, without a NUL at the end. A NUL inside is
  /// refused on opening.
  package init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  package func appending(_ component: some Sequence<UInt8>) -> SourcePath {
    let isJoined = bytes.isEmpty || bytes.last == Self.slash
    return SourcePath(bytes: bytes + (isJoined ? [] : [Self.slash]) + Array(component))
  }

  /// The last component, not escaped for display. Bytes that are not UTF-8 are replaced.
  package var name: String {
    String(decoding: withoutSlashAtEnd.split?.name ?? [], as: UTF8.self)
  }

  /// The bytes of the last component; all bytes of a path that ends with a slash.
  package var nameBytes: [UInt8] { split?.name ?? bytes }

  /// The text after the name's last dot, in lower case. It is empty when there is none.
  package var pathExtension: String {
    let name = name.drop { $0 == "." }
    return name.lastIndex(of: ".").map { name[$0...].dropFirst().lowercased() } ?? ""
  }

  /// Whether a folder is there. A symbolic link is followed, because a person named it.
  package var isFolder: Bool {
    (try? SystemCalls.identity(of: DirectoryRelativePath(bytes), followingLinks: true)?.kind)
      == .directory
  }

  /// Whether something is there. `false` if the system cannot say.
  package var exists: Bool { (try? SystemCalls.identity(of: DirectoryRelativePath(bytes))) != nil }

  /// Whether the path is a library or something inside one. Such a thing is never a source.
  ///
  /// Symbolic links are resolved first. Then the answer is yes if any folder on the path has a
  /// library's marker. A different file named `holdfast.json` does not count.
  package var isInsideLibrary: Bool {
    guard let real = SystemCalls.realPath(DirectoryRelativePath(bytes)) else { return false }
    var folder = SourcePath(bytes: real).parts
    repeat {
      let path = SourcePath(folder)
      let marker = path.appending(Layout.marker.utf8)
      if (try? SystemCalls.identity(of: DirectoryRelativePath(marker.bytes))) != nil, path.hasMarker
      {
        return true
      }
    } while folder.removeLastComponent()
    return false
  }

  private init(_ path: FilePath) {
    bytes = path.withPlatformString { text in
      (0..<path.length).map { unsafe UInt8(truncatingIfNeeded: text[$0]) }
    }
  }

  private var hasMarker: Bool {
    // Some folders on the path may allow searching but not listing.
    let flags = SystemCalls.pathOnly | O_DIRECTORY
    guard let folder = try? SystemCalls.open(DirectoryRelativePath(bytes), flags) else {
      return false
    }
    return LibraryMarker.marks(Directory(file: folder))
  }

  /// The parent folder, and the name in it. `nil` for a path that ends with a slash, which can only
  /// be a folder, and for an empty path.
  var split: (folder: SourcePath, name: [UInt8])? {
    guard let slash = bytes.lastIndex(of: Self.slash) else {
      return bytes.isEmpty ? nil : (SourcePath("."), bytes)
    }
    let name = Array(bytes[(slash + 1)...])
    return name.isEmpty ? nil : (SourcePath(bytes: bytes[..<max(slash, 1)]), name)
  }

  /// The parent folder. A path that has none is its own.
  package var folder: SourcePath { withoutSlashAtEnd.split?.folder ?? self }

  var withoutSlashAtEnd: SourcePath {
    var bytes = bytes[...]
    while bytes.count > 1, bytes.last == Self.slash { bytes.removeLast() }
    return SourcePath(bytes: bytes)
  }

  /// The path as text, with bytes that are not UTF-8 replaced.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The path for display: escaped, with bytes that are not UTF-8 replaced.
  package var description: String { text.escapedForDisplay }
}
