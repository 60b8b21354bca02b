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
      HoldfastError(error)
      ?? HoldfastError(.unexpected, "\(error)".escapedForDisplay)
    if layer == .storage, path?.escapedForDisplay == item?.description { path = nil }
  }

  /// Runs `body`, and names the library in its errors by the path that the caller gave.
  static func translating<Value>(
    at location: LibraryLocation, _ body: () throws -> Value
  ) throws -> Value {
    do {
      return try translating(body)
    } catch LibraryError.Code.noLibrary {
      throw LibraryError(
        .noLibrary, "there is no library in \(location.path.escapedForDisplay)", path: location.path
      )
    } catch let error as LibraryError where error.code == .networkFilesystem {
      var error = error
      error.path = location.path
      throw error
    }
  }

  /// Runs `body`, and translates the errors of the layers below.
  static func translating<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      throw HoldfastError(error) ?? error
    }
  }

  static func translating<Value>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch {
      throw HoldfastError(error) ?? error
    }
  }
}
