public import Foundation
internal import HoldfastModel
internal import HoldfastStorage

/// Which of several backups is restored.
public enum BackupChoice: Hashable, Sendable {
  /// The newest one.
  case newest
  /// The newest one that is not later than this.
  case asOf(Date)
  /// The one that has this name.
  case named(String)

  /// Whether a bag is among those of which the newest is chosen.
  fileprivate func takes(_ bag: Bag) -> Bool {
    switch self {
    case .newest: true
    case .asOf(let date): bag.info.moment <= date
    case .named(let name): bag.name == name
    }
  }

  /// Whether a bag that cannot be read might be the one, and not this one. Its name says when it was made.
  fileprivate func mayBe(_ name: String, ratherThan bag: Bag?) -> Bool {
    if case .named(let chosen) = self { return name == chosen }
    guard let made = Bag.moment(ofName: name), !Bag.isOfFuture(made.date, Date()) else {
      return false
    }
    if case .asOf(let date) = self, made.date > date { return false }
    guard let bag else { return true }
    if let known = Bag.moment(ofName: bag.name) { return made > known }
    return made.date > bag.info.moment
  }
}

extension Library {
  /// Returns the bag that was chosen.
  ///
  /// Whoever chose a bag that cannot be read does not get an older one in its place.
  ///
  /// - Throws: ``LibraryError``: `noBackup` or `unusableBackup`.
  static func bag(in path: String, _ choice: BackupChoice) throws -> Bag {
    let bags = try bags(in: path)
    let unreadable = try unreadableBackups(in: path)
    let bag = bags.last { choice.takes($0) }
    if let name = unreadable.last(where: { choice.mayBe($0, ratherThan: bag) }) {
      throw LibraryError(
        .unusableBackup,
        "the backup \(name.escapedForDisplay) is not usable: "
          + LibraryError.unreadableBackup.description, path: path)
    }
    if let bag { return bag }
    if case .named(let name) = choice {
      throw LibraryError(.noBackup, "there is no backup \(name.escapedForDisplay)", path: path)
    }
    throw LibraryError(
      .noBackup, "the oldest backup is of \(bags.first?.info.moment.localText ?? "later")",
      path: path)
  }
}
