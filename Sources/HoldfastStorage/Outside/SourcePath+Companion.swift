extension SourcePath {
  /// The name of the file beside this one that is called the same but for its extension.
  ///
  /// Names are asked for one by one, in the usual spellings first; no folder is opened or listed.
  ///
  /// - Parameter extensions: The extensions that are looked for, in lower case; however they are
  ///   written, they are found.
  public func companion(withExtensions extensions: [String]) -> String? {
    guard let split, let dot = split.name.lastIndex(of: UInt8(ascii: ".")), dot > 0 else {
      return nil
    }
    let spellings = extensions.map(Self.spellings)
    let usual = spellings.flatMap { $0.prefix(2) }
    let unusual = spellings.flatMap { $0.dropFirst(2) }
    for spelling in usual + unusual {
      let name = split.name[...dot] + spelling.utf8
      let place = Place(split.folder.appending(name).bytes)
      guard let kind = try? SystemCalls.identity(of: place)?.kind, kind != .directory else {
        continue
      }
      return String(decoding: name, as: UTF8.self)
    }
    return nil
  }

  /// A word in every mixture of upper and lower case: all upper first, then all lower.
  private static func spellings(of word: String) -> [String] {
    var mixed = [""]
    for letter in word {
      mixed = mixed.flatMap { [$0 + letter.uppercased(), $0 + letter.lowercased()] }
    }
    return mixed.count > 2
      ? [mixed[0], mixed[mixed.count - 1]] + mixed.dropFirst().dropLast() : mixed
  }
}
