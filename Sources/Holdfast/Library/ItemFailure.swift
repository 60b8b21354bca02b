internal import HoldfastCatalog
internal import HoldfastModel
internal import HoldfastStorage

/// Why one item of many was refused, or failed.
public struct ItemFailure: Error, Hashable, Sendable {
  /// The kind of the failure.
  public var code: String
  /// What a person reads after the item's name: one sentence with the figure and the way out.
  public var reason: String

  /// Makes a failure of the error that a step threw.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - path: The item's own path, which whoever reads the failure knows.
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
