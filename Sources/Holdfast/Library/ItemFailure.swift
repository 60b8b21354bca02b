internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// The reason why one item of many was refused or failed.
public struct ItemFailure: Error, Hashable, Sendable {
  /// The kind of the failure.
  public var code: String
  /// One sentence to show after the item's name: what is wrong, the figure and what to do about it.
  public var reason: String

  /// Makes a failure from the error that a step threw.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The item's own path. An error about this path does not repeat it, because the caller
  ///     shows the path beside the failure.
  init(_ error: any Error, of path: SourcePath? = nil) {
    switch error {
    case let error as StorageError where error.path.escapedForDisplay == path?.description:
      code = error.code.rawValue
      reason = error.reason
    case let error as MediaError:
      code = error.code.rawValue
      reason = error.description
    case let error as StorageError:
      code = error.code.rawValue
      reason = error.description
    case let error as LibraryError:
      code = error.code.rawValue
      reason = error.description
    case let error as CatalogError:
      code = error.code.rawValue
      reason = error.description
    case let error as LockTimeout:
      code = "locked"
      reason = error.description
    case let error as ItemFailure: self = error
    default:
      code = "unexpected"
      reason = "\(error)".escapedForDisplay
    }
  }
}
