package import HoldfastModel

extension Staging {
  /// The path of a file that was made here, for another program.
  package func path(ofFile name: String) -> String { directory.place(name).path }

  /// Makes an empty folder here for a program that is not Holdfast's, and returns its path. What
  /// such a program writes is not trusted.
  package func makeProgramFolder() throws(HoldfastError) -> String {
    try removeProgramFolder()
    return try directory.making(Layout.programFolder).file.path
  }

  /// Reads a file that a program has written into its folder; `nil` if there is none.
  ///
  /// - Throws: `HoldfastError` for a link or anything else that is not a file, and for a file that
  ///   is larger than `limit` bytes.
  package func programFile(
    named name: String, atMost limit: Int64
  ) throws(HoldfastError) -> [UInt8]? {
    guard let folder = try directory.folder(Layout.programFolder) else { return nil }
    return try folder.existingFile(name, 0)?.bytes(atMost: limit)
  }

  /// Removes the folder of the program with everything in it. Does nothing if there is none.
  package func removeProgramFolder() throws(HoldfastError) {
    try directory.removeProgramFolder()
  }
}

extension Directory {
  /// Removes the folder of a program that is not Holdfast's, with any content, and what an
  /// interrupted removal left of one. Nothing of it leaves this folder, which recovery removes.
  func removeProgramFolder() throws(HoldfastError) {
    let found = try entries().filter {
      $0.text == Layout.programFolder && $0.kind == .directory || TreeRemoval.isName($0)
    }
    guard !found.isEmpty else { return }
    try TreeRemoval.remove(found, of: self, by: self)
  }
}
