public import Foundation
import HoldfastModel
import HoldfastStorage

/// Which of several backups is restored.
public enum BackupChoice: Hashable, Sendable {
  /// The newest one.
  case newest
  /// The newest one that is not later than this.
  case asOf(Date)
  /// The one that has this name.
  case named(String)

  /// Whether this choice admits a bag. The newest admitted one is chosen.
  func takes(_ bag: Bag) -> Bool {
    switch self {
    case .newest: true
    case .asOf(let date): bag.info.moment <= date
    case .named(let name): bag.name == name
    }
  }

  /// Whether a bag that cannot be read might be the one, and not this one. Its name says when it was made.
  func mayBe(_ name: String, ratherThan bag: Bag?) -> Bool {
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
