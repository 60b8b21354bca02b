public import HoldfastModel
import HoldfastStorage

/// The error of a library.
public typealias LibraryError = HoldfastError

extension HoldfastError {
  /// Creates the failure of one item, whatever the error was.
  ///
  /// - Parameter item: The item's own path, which the reader of its failure knows.
  init(itemFailure error: any Error, of item: SourcePath? = nil) {
    self =
      switch error {
      case let error as HoldfastError: error
      case let rule as RuleError: HoldfastError(rule)
      default: HoldfastError(.unexpected, "\(error)".escapedForDisplay)
      }
    if layer == .storage, path?.escapedForDisplay == item?.description { path = nil }
  }

  /// Runs `body`, and names the library in its errors by the path that the caller gave.
  static func naming<Value>(
    _ location: LibraryLocation, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try body()
    } catch HoldfastError.Code.noLibrary {
      throw HoldfastError(
        .noLibrary, "there is no library in \(location.path.escapedForDisplay)", path: location.path
      )
    } catch var error as HoldfastError where error.code == .networkFilesystem {
      error.path = location.path
      throw error
    }
  }

  /// Runs `body`, and turns a rule that a value breaks into an error of the library.
  static func checkingRules<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch let rule as RuleError { throw HoldfastError(rule) }
  }
}
