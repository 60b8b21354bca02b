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

  /// Returns what is at a path below; `nil` for nothing, and for a path that leads through a link.
  package func kind(of relative: String) throws(HoldfastError) -> FileIdentity.Kind? {
    do throws(HoldfastError) {
      return try route(to: relative).identity().kind
    } catch let error where [.missing, .notAFolder, .unsafePath].contains(error.code) {
      return nil
    }
  }

  /// What is in a folder and below it.
  package struct Listing: Sendable {
    /// The paths of the files, sorted. Hidden files are left out.
    package var files: [String]
    /// The errors of the folders that could not be read.
    package var unreadable: [HoldfastError] = []

    package init(files: [String] = []) { self.files = files }
  }

  /// Lists what is below one of its folders; nothing if it is not a folder.
  package func listing(below relative: String) -> Listing {
    var listing = Listing()
    do throws(HoldfastError) {
      guard try kind(of: relative) == .directory else { return listing }
    } catch {
      listing.unreadable.append(error)
      return listing
    }
    let start = path.bytes.count
    for entry in FolderWalk(route(to: relative)) {
      switch entry {
      case .file(let file, .regular):
        let rest = file.path.bytes.dropFirst(start).drop { $0 == UInt8(ascii: "/") }
        listing.files.append(String(decoding: rest, as: UTF8.self))
      case .unreadable(_, let error): listing.unreadable.append(error)
      case .file, .folder, .library: continue
      }
    }
    listing.files.sort()
    return listing
  }
}
