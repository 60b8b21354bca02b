package import Foundation

/// Merging two libraries into each other must give both the same records. So the result of each
/// rule does not depend on which version is this library's, and does not change when the rule is
/// applied again.
extension DeclaredRecord {
  /// Returns the result of merging two versions of a record.
  ///
  /// The later edit wins. Between equally late edits, or without any, the version that an app had
  /// later wins, because apps may not date their changes. It gets the values that only the other
  /// one has, because an app may say less in one document than in another. Otherwise the larger
  /// JSON wins.
  ///
  /// - Parameters:
  ///   - other: The other library's version, whose link names one of this library's recordings.
  ///   - time: When an app last had this library's version; `nil` if it did not come from an app.
  ///   - otherTime: When an app last had the other library's version.
  package func unified(
    with other: Self, importedAt time: Date? = nil, otherImportedAt otherTime: Date? = nil
  ) throws -> Self {
    var (own, other) = (countingAlso(other), other.countingAlso(self))
    let declaration = Self.declaration
    if own.modifiedAt == other.modifiedAt {
      // A link goes with its recording, and a reference with its target. Neither is an edit.
      if let link = declaration.link {
        own[keyPath: link.path] = own[keyPath: link.path] ?? other[keyPath: link.path]
        other[keyPath: link.path] = other[keyPath: link.path] ?? own[keyPath: link.path]
      }
      for reference in declaration.references {
        reference.complete(&own, other)
        reference.complete(&other, own)
      }
    }
    let winner: Self
    if own == other {
      winner = own
    } else if own.modifiedAt == other.modifiedAt, let union = declaration.union?(own, other) {
      winner = union
    } else if own.modifiedAt == other.modifiedAt, time != nil || otherTime != nil {
      let isOwnLater =
        time == otherTime
        ? try own.wins(over: other) : (time ?? .distantPast) > (otherTime ?? .distantPast)
      let (later, earlier) = isOwnLater ? (own, other) : (other, own)
      winner = try earlier.changed(
        to: later, keepingCreation: earlier.createdAt < later.createdAt,
        keepingZone: earlier.hasSameMoment(as: later) && earlier.hasBetterZone(than: later))
    } else {
      let isOwn = try own.wins(over: other)
      let (edited, loser) = isOwn ? (own, other) : (other, own)
      let (last, later) = isOwn ? (time, otherTime) : (otherTime, time)
      // The edit may not know what an app had since. What was done until the other edit was not
      // done in the app.
      let hasLater = (later ?? .distantPast) > (last ?? .distantPast)
      let since = [last, loser.modifiedAt].compactMap(\.self).max()
      winner = (hasLater ? declaration.following?(edited, loser, since) : nil) ?? edited
    }
    // A kind's correction may depend on what this library has.
    return declaration.correcting.map { $0(self, winner) } ?? winner
  }

  private func wins(over other: Self) throws -> Bool {
    if isNewer(than: other) { return true }
    if other.isNewer(than: self) { return false }
    let encoder = JSONFormat.encoder
    let (own, others) = try (encoder.encode(self), encoder.encode(other))
    return others.lexicographicallyPrecedes(own)
  }
}
