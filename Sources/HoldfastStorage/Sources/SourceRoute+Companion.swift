import Glibc

extension SourceRoute {
  /// Returns the name of a file beside this one that has one of some names, the first that is
  /// there.
  ///
  /// - Parameters:
  ///   - names: The names to look up.
  ///   - listsFolder: Whether the folder is listed if there is none, to find the names in any
  ///     mixture of upper and lower case.
  package func companion(named names: [String], listsFolder: Bool) -> String? {
    guard let place = try? place() else { return nil }
    for name in names {
      let beside = DirectoryRelativePath(in: place.directory, Array(name.utf8))
      if let kind = try? SystemCalls.identity(of: beside)?.kind, kind != .directory { return name }
    }
    let here = DirectoryRelativePath(in: place.directory, [UInt8(ascii: ".")])
    guard listsFolder, let folder = try? SystemCalls.open(here, O_RDONLY | O_DIRECTORY),
      let entries = try? SystemCalls.entries(of: folder)
    else { return nil }
    let found = Dictionary(
      entries.filter { $0.kind != .directory }.compactMap(\.text).map { ($0.lowercased(), $0) },
      uniquingKeysWith: { first, _ in first })
    return names.lazy.compactMap { found[$0.lowercased()] }.first
  }

  /// Returns the first bytes of a file beside this one, at most `count`; `nil` if it cannot be
  /// read. A link is not followed.
  package func beginning(ofCompanion name: String, count: Int) -> [UInt8]? {
    guard let place = try? place(),
      let file = try? SystemCalls.open(
        DirectoryRelativePath(in: place.directory, Array(name.utf8)),
        O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: count)
    return (try? SystemCalls.read(file, into: &bytes, at: 0)).map { Array(bytes.prefix($0)) }
  }
}
