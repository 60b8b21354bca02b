import Foundation

/// Two libraries that are merged into each other must come to the same. So each rule here gives the
/// same result whichever version is this library's, and no other result when it is applied again.
extension DeclaredRecord {
  /// Returns what a record becomes when two libraries are merged.
  ///
  /// The later edit wins. Of two that were made at the same time, or were never edited, the one
  /// with the larger JSON wins.
  ///
  /// - Parameter other: The other library's version, whose link names one of this library's
  ///   recordings.
  package func unified(with other: Self) throws -> Self {
    var (own, other) = (countingAlso(other), other.countingAlso(self))
    let declaration = Self.declaration
    if let link = declaration.link, own.modifiedAt == other.modifiedAt {
      // The link was removed with its recording. That was not a person's change.
      own[keyPath: link.path] = own[keyPath: link.path] ?? other[keyPath: link.path]
      other[keyPath: link.path] = other[keyPath: link.path] ?? own[keyPath: link.path]
    }
    let winner = try own.wins(over: other) ? own : other
    // What makes the kind special may depend on what this library has.
    return declaration.correcting.map { $0(self, winner) } ?? winner
  }

  private func wins(over other: Self) throws -> Bool {
    guard modifiedAt == other.modifiedAt else { return isNewer(than: other) }
    let encoder = JSONFormat.encoder
    let (own, others) = try (encoder.encode(self), encoder.encode(other))
    return others.lexicographicallyPrecedes(own)
  }
}
