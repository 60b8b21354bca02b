public import Foundation
import HoldfastModel
import HoldfastStorage

/// The choice of a backup to restore.
public enum BackupChoice: Hashable, Sendable {
  /// The newest backup.
  case newest
  /// The newest backup up to this time.
  case asOf(Date)
  /// The backup with this name.
  case named(String)

  /// Whether this choice admits a bag. The newest admitted bag is chosen.
  func includes(_ bag: Bag) -> Bool {
    switch self {
    case .newest: true
    case .asOf(let date): bag.info.moment <= date
    case .named(let name): bag.name == name
    }
  }

  /// Whether the unreadable bag `name` may be the choice instead of `bag`, by the time in its name.
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
