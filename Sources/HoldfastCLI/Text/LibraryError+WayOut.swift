internal import Holdfast
internal import HoldfastModel

extension LibraryError {
  /// Runs `body`, and adds to its errors what the user can do about them.
  ///
  /// - Parameters:
  ///   - location: The library that `body` opens or makes.
  ///   - isMaking: Whether `body` makes the library.
  static func withWayOut<Value>(
    for location: LibraryLocation, isMaking: Bool = false, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch let error as LibraryError {
      guard let wayOut = error.wayOut(for: location, isMaking) else { throw error }
      throw LibraryError(error.code, error.description + wayOut)
    }
  }

  /// The end of the sentence; `nil` if there is nothing to add.
  private func wayOut(for location: LibraryLocation, _ isMaking: Bool) -> String? {
    switch code {
    case .noLibrary:
      "; is its disk mounted? holdfast init \(location.path.shellWord) makes a new one"
    case .otherFilesystem:
      "; unmount what is mounted there, or move the whole library to that disk"
    case .networkFilesystem:
      "; if you make sure that only one does, "
        + (isMaking
          ? "add --shared-disk"
          : "holdfast doctor --shared-disk --library \(location.path.shellWord) allows it")
    default: nil
    }
  }
}

extension String {
  /// This path, quoted if necessary, so that it can be pasted into a shell.
  fileprivate var shellWord: String {
    let path = hasPrefix("-") ? "./\(self)" : self
    let isPlain = path.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || "0123456789/._-+,:@%=".unicodeScalars.contains(scalar)
    }
    if isPlain { return path }
    return
      "'\(path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''"))'"
      .escapedForDisplay
  }
}
