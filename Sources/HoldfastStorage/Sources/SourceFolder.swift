package import HoldfastModel

/// A folder that is only read, opened once. Its files are reached from there, and through no link.
package struct SourceFolder: Sendable {
  package let path: SourcePath
  private let route: SourceRoute

  /// Opens a folder that a person named. A link is followed.
  package init(_ path: SourcePath) throws(HoldfastError) {
    self.path = path
    let typed = SourceRoute(typed: path)
    route = typed.starting(at: try typed.openFolder())
  }

  /// Returns the route to a file or folder below.
  ///
  /// - Parameter relative: The path from this folder. A path that leaves the folder is refused when
  ///   the route is opened.
  package func route(to relative: String) -> SourceRoute {
    relative.isEmpty ? route : route.appending(Array(relative.utf8))
  }

  /// Opens a file below; `nil` if there is nothing.
  package func open(_ relative: String) throws(HoldfastError) -> OpenFile? {
    do throws(HoldfastError) {
      return try route(to: relative).open()
    } catch let error where error.code == .missing || error.code == .notAFolder {
      return nil
    }
  }

  /// Returns what is at a path below; `nil` for nothing.
  package func kind(of relative: String) -> FileIdentity.Kind? {
    (try? route(to: relative).identity())?.kind
  }

  /// Returns the paths of the files below one of its folders, sorted; hidden ones are left out.
  package func files(below relative: String) -> [String] {
    guard kind(of: relative) == .directory else { return [] }
    let start = path.bytes.count
    var paths: [String] = []
    for case .file(let file, .regular) in FolderWalk(route(to: relative)) {
      let rest = file.path.bytes.dropFirst(start).drop { $0 == UInt8(ascii: "/") }
      paths.append(String(decoding: rest, as: UTF8.self))
    }
    return paths.sorted()
  }
}
