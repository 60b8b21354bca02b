public import Foundation

/// A value of a record that grows by counting, without an edit by a person.
///
/// When two versions of a record are merged, no count is lost, whichever version is newer.
public struct Counter<Value>: Sendable {
  /// Merges the count of the first version into the second one.
  let merge: @Sendable (Value, inout Value) -> Void

  /// Declares a count by the function that merges the first version's into the second one.
  ///
  /// Both versions must end with the same count, whichever is the first.
  public init(merge: @escaping @Sendable (Value, inout Value) -> Void) { self.merge = merge }

  /// Declares a count whose larger value is kept.
  public static func maximum(_ path: any WritableKeyPath<Value, Int> & Sendable) -> Counter {
    Counter { $1[keyPath: path] = max($0[keyPath: path], $1[keyPath: path]) }
  }

  /// Declares a moment whose later value is kept.
  public static func maximum(_ path: any WritableKeyPath<Value, Date?> & Sendable) -> Counter {
    Counter {
      $1[keyPath: path] = [$0[keyPath: path], $1[keyPath: path]].compactMap(\.self).max()
    }
  }

  /// Declares a moment whose earlier value is kept.
  public static func minimum(_ path: any WritableKeyPath<Value, Date> & Sendable) -> Counter {
    Counter { $1[keyPath: path] = min($0[keyPath: path], $1[keyPath: path]) }
  }

  /// Declares a count that is added to the other version's.
  public static func sum(_ path: any WritableKeyPath<Value, Int> & Sendable) -> Counter {
    Counter {
      let (sum, isTooLarge) = $0[keyPath: path].addingReportingOverflow($1[keyPath: path])
      $1[keyPath: path] = isTooLarge ? .max : sum
    }
  }
}
