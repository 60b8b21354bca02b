import Glibc

extension SourceRoute {
  /// Returns the name of a file beside this one that differs only in its extension, or `nil`.
  ///
  /// It looks up the names one by one, the usual spellings first. It lists no folder.
  ///
  /// - Parameter extensions: The extensions to look for, in lower case. Every mixture of upper and
  ///   lower case is found.
  package func companion(withExtensions extensions: [String]) -> String? {
    guard let place = try? place(), let dot = place.name.lastIndex(of: UInt8(ascii: ".")), dot > 0
    else { return nil }
    let spellings = extensions.map(Self.spellings)
    let usual = spellings.flatMap { $0.prefix(2) }
    let unusual = spellings.flatMap { $0.dropFirst(2) }
    for spelling in usual + unusual {
      let name = place.name[...dot] + spelling.utf8
      let beside = DirectoryRelativePath(in: place.directory, Array(name))
      guard let kind = try? SystemCalls.identity(of: beside)?.kind, kind != .directory else {
        continue
      }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

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

  /// Returns a word in every mixture of upper and lower case: all upper first, then all lower.
  private static func spellings(of word: String) -> [String] {
    var mixed = [""]
    for letter in word {
      mixed = mixed.flatMap { [$0 + letter.uppercased(), $0 + letter.lowercased()] }
    }
    return mixed.count > 2
      ? [mixed[0], mixed[mixed.count - 1]] + mixed.dropFirst().dropLast() : mixed
  }
}
