import Foundation
import HoldfastModel
import HoldfastStorage
import HoldfastSupport

extension LibraryTree {
  /// Makes a folder in staging.
  func makeStaging(id: UUID = UUID()) async throws -> Staging {
    try await onOwnThread { [self] stop in
      try withWriterLock(until: stop) { try makeStaging(id: id, under: $0) }
    }
  }
}

extension Staging {
  /// Makes a file in staging and has it written.
  ///
  /// - Parameter body: Writes the file. It must not keep it.
  /// - Returns: The value that `body` returns, and the file, open for reading. No process can write
  ///   to it any more.
  /// - Throws: `HoldfastError`, and whatever `body` throws.
  func writing<Value>(
    _ name: String, _ body: (OpenFile) async throws -> Value
  ) async throws -> (Value, OpenFile) {
    // This is a separate function so that the writable descriptor is closed when it returns.
    let value = try await make(name, body)
    return (value, try await onOwnThread { _ in try self.openWritten(name) })
  }

  private func make<Value>(
    _ name: String, _ body: (OpenFile) async throws -> Value
  ) async throws -> Value {
    let file = try await onOwnThread { _ in try self.createFile(named: name) }
    do {
      return try await body(file)
    } catch let error as HoldfastError where error.code == .outputRefused {
      // The engine does not know the disk.
      try await onOwnThread { _ in try file.refuseIfFull() }
      throw error
    }
  }
}
