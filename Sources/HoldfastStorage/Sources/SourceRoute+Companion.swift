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
